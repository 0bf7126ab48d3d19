//! async-openai against a server: chat, a tool call, streams, responses, embeddings, the list of models, and an error.

use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::chat::{
    ChatCompletionMessageToolCalls, ChatCompletionRequestUserMessageArgs, ChatCompletionTool, ChatCompletionTools,
    CreateChatCompletionRequest, CreateChatCompletionRequestArgs, FinishReason, FunctionObjectArgs,
};
use async_openai::types::embeddings::CreateEmbeddingRequestArgs;
use async_openai::types::responses::{CreateResponseArgs, ResponseStreamEvent, Status};
use async_openai::Client;
use futures::StreamExt;
use std::error::Error;

type Checked = Result<(), Box<dyn Error>>;

const MODEL: &str = "simulator";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Checked {
    let url = format!("{}/v1", std::env::var("MODELWIRE_URL")?);
    let key = std::env::var("MODELWIRE_API_KEY")?;
    let client = Client::with_config(OpenAIConfig::new().with_api_base(url).with_api_key(key));
    chat(&client).await?;
    tool_call(&client).await?;
    chat_stream(&client).await?;
    responses(&client).await?;
    embeddings(&client).await?;
    models(&client).await?;
    errors(&client).await?;
    println!("async-openai: 7 checks passed");
    Ok(())
}

fn request(content: &str) -> Result<CreateChatCompletionRequestArgs, OpenAIError> {
    let message = ChatCompletionRequestUserMessageArgs::default().content(content).build()?;
    let mut arguments = CreateChatCompletionRequestArgs::default();
    arguments.model(MODEL).messages([message.into()]);
    Ok(arguments)
}

async fn chat(client: &Client<OpenAIConfig>) -> Checked {
    let body: CreateChatCompletionRequest = request("What is 6 * 7?")?.build()?;
    let reply = client.chat().create(body).await?;
    let text = reply.choices[0].message.content.clone().unwrap_or_default();
    assert!(text.contains("42"), "unexpected reply: {text}");
    assert_eq!(reply.choices[0].finish_reason, Some(FinishReason::Stop));
    assert!(reply.usage.is_some_and(|usage| usage.total_tokens > 0));
    Ok(())
}

async fn tool_call(client: &Client<OpenAIConfig>) -> Checked {
    let function = FunctionObjectArgs::default()
        .name("get_weather")
        .description("Returns the weather in a city.")
        .parameters(serde_json::json!({
            "type": "object",
            "properties": { "city": { "type": "string" } },
            "required": ["city"],
        }))
        .build()?;
    let tool = ChatCompletionTools::Function(ChatCompletionTool { function });
    let body = request("What is the weather in Paris?")?.tools([tool]).build()?;
    let reply = client.chat().create(body).await?;
    let calls = reply.choices[0].message.tool_calls.clone().unwrap_or_default();
    match calls.as_slice() {
        [ChatCompletionMessageToolCalls::Function(call)] => {
            assert_eq!(call.function.name, "get_weather");
            assert!(call.function.arguments.contains("Paris"));
        }
        other => panic!("unexpected calls: {other:?}"),
    }
    Ok(())
}

async fn chat_stream(client: &Client<OpenAIConfig>) -> Checked {
    let body = request("Count from 1 to 5.")?.stream(true).build()?;
    let mut stream = client.chat().create_stream(body).await?;
    let (mut text, mut finished) = (String::new(), false);
    while let Some(chunk) = stream.next().await {
        for choice in chunk?.choices {
            text.push_str(choice.delta.content.as_deref().unwrap_or_default());
            finished |= choice.finish_reason.is_some();
        }
    }
    assert!(finished && text.contains('5'), "unexpected stream: {text}");
    Ok(())
}

async fn responses(client: &Client<OpenAIConfig>) -> Checked {
    let body = CreateResponseArgs::default().model(MODEL).input("What is 6 * 7?").build()?;
    let reply = client.responses().create(body.clone()).await?;
    assert_eq!(reply.status, Status::Completed);
    assert!(reply.output_text().unwrap_or_default().contains("42"));
    let mut stream = client.responses().create_stream(body).await?;
    let mut completed = false;
    while let Some(event) = stream.next().await {
        completed |= matches!(event?, ResponseStreamEvent::ResponseCompleted(_));
    }
    assert!(completed, "the stream has no response.completed");
    Ok(())
}

async fn embeddings(client: &Client<OpenAIConfig>) -> Checked {
    let body = CreateEmbeddingRequestArgs::default()
        .model("simulator-embedding")
        .input(["The Danube is a river.", "The Alps are mountains."])
        .build()?;
    let reply = client.embeddings().create(body).await?;
    assert_eq!(reply.data.len(), 2);
    assert_eq!(reply.data[0].embedding.len(), 256);
    Ok(())
}

async fn models(client: &Client<OpenAIConfig>) -> Checked {
    let listed = client.models().list().await?;
    assert!(listed.data.iter().any(|model| model.id == MODEL));
    Ok(())
}

async fn errors(client: &Client<OpenAIConfig>) -> Checked {
    let body = request("Hello")?.model("none").build()?;
    match client.chat().create(body).await {
        Err(OpenAIError::ApiError(error)) => {
            assert!(format!("{error:?}").contains("model_not_found"), "unexpected error: {error:?}");
            Ok(())
        }
        other => panic!("expected an error of the API, but got {other:?}"),
    }
}
