import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.embeddings.CreateEmbeddingResponse;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The official Java SDK against a server: chat, a tool call, streams, responses, stored completions, embeddings, and errors. */
public final class Clients {
    private static final String MODEL = "simulator";

    /** Returns the weather in a city. */
    @com.fasterxml.jackson.annotation.JsonClassDescription("Returns the weather in a city.")
    static class GetWeather {
        public String city;
    }

    public static void main(String[] arguments) {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(System.getenv("MODELWIRE_URL") + "/v1")
                .apiKey(System.getenv("MODELWIRE_API_KEY"))
                .maxRetries(0)
                .build();
        chat(client);
        toolCall(client);
        chatStream(client);
        responses(client);
        storedCompletions(client);
        embeddings(client);
        errors(client);
        System.out.println("openai-java: 7 checks passed");
        // The connection pool keeps threads.
        client.close();
        System.exit(0);
    }

    private static ChatCompletionCreateParams.Builder request(String content) {
        return ChatCompletionCreateParams.builder().model(MODEL).addUserMessage(content);
    }

    private static void chat(OpenAIClient client) {
        ChatCompletion reply = client.chat().completions().create(request("What is 6 * 7?").build());
        // `validate` throws where a field has another type than the SDK expects.
        reply.validate();
        String text = reply.choices().get(0).message().content().orElse("");
        check(text.contains("42"), "unexpected reply: " + text);
        check(reply.usage().orElseThrow().totalTokens() > 0, "no usage");
    }

    private static void toolCall(OpenAIClient client) {
        ChatCompletionCreateParams params =
                request("What is the weather in Paris?").addTool(GetWeather.class).build();
        ChatCompletion reply = client.chat().completions().create(params);
        var calls = reply.choices().get(0).message().toolCalls().orElse(List.of());
        check(calls.size() == 1, "unexpected calls: " + calls);
        GetWeather call = calls.get(0).asFunction().function().arguments(GetWeather.class);
        check("Paris".equals(call.city), "unexpected city: " + call.city);
    }

    private static void chatStream(OpenAIClient client) {
        ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();
        try (StreamResponse<ChatCompletionChunk> stream =
                client.chat().completions().createStreaming(request("Count from 1 to 5.").build())) {
            stream.stream().forEach(accumulator::accumulate);
        }
        String text = accumulator.chatCompletion().choices().get(0).message().content().orElse("");
        check(text.contains("5"), "unexpected stream: " + text);
    }

    private static void responses(OpenAIClient client) {
        ResponseCreateParams params = ResponseCreateParams.builder().model(MODEL).input("What is 6 * 7?").build();
        Response reply = client.responses().create(params);
        check(reply.status().orElseThrow().equals(ResponseStatus.COMPLETED), "unexpected status");
        check(reply.output().toString().contains("42"), "unexpected output: " + reply.output());
        AtomicBoolean completed = new AtomicBoolean();
        try (StreamResponse<ResponseStreamEvent> stream = client.responses().createStreaming(params)) {
            stream.stream().forEach(event -> {
                if (event.isCompleted()) completed.set(true);
            });
        }
        check(completed.get(), "the stream has no response.completed");
        check(client.responses().retrieve(reply.id()).id().equals(reply.id()), "the response was not stored");
    }

    private static void storedCompletions(OpenAIClient client) {
        ChatCompletion stored = client.chat().completions().create(request("Hello").store(true).build());
        boolean listed = client.chat().completions().list().autoPager().stream()
                .anyMatch(completion -> completion.id().equals(stored.id()));
        check(listed, "the completion is not in the list");
        check(client.chat().completions().delete(stored.id()).deleted(), "the completion was not deleted");
    }

    private static void embeddings(OpenAIClient client) {
        CreateEmbeddingResponse reply = client.embeddings()
                .create(EmbeddingCreateParams.builder()
                        .model("simulator-embedding")
                        .inputOfArrayOfStrings(List.of("The Danube is a river.", "The Alps are mountains."))
                        .build());
        check(reply.data().size() == 2, "expected two embeddings");
        check(reply.data().get(0).embedding().size() == 256, "expected 256 dimensions");
    }

    private static void errors(OpenAIClient client) {
        try {
            client.chat().completions().create(request("Hello").model("none").build());
            throw new AssertionError("expected an error for an unknown model");
        } catch (NotFoundException error) {
            check(error.code().orElse("").equals("model_not_found"), "unexpected error: " + error);
        }
        try {
            client.chat().completions().create(request("Hello").temperature(9).build());
            throw new AssertionError("expected an error for an invalid temperature");
        } catch (BadRequestException error) {
            check(error.param().orElse("").equals("temperature"), "unexpected error: " + error);
        }
    }

    private static void check(boolean isRight, String message) {
        if (!isRight) throw new AssertionError(message);
    }
}
