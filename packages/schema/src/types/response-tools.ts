import type { GrammarSyntax, JsonSchemaObject } from './chat-tools.ts';
import type { SearchContextSize } from './chat-request.ts';

export interface ResponseFunctionTool {
  readonly type: 'function';
  /** a-z, A-Z, 0-9, underscores and dashes; at most 64. */
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; without it the function takes none. */
  readonly parameters?: JsonSchemaObject;
  /** Calls follow `parameters` exactly. Default: they need not. */
  readonly strict?: boolean;
}

export type ResponseCustomToolFormat =
  { readonly type: 'text' } | { readonly type: 'grammar'; readonly syntax: GrammarSyntax; readonly definition: string };

export interface ResponseCustomTool {
  readonly type: 'custom';
  readonly name: string;
  readonly description?: string;
  /** Form of the input; any text unless given. */
  readonly format?: ResponseCustomToolFormat;
}

/** A group of tools. Calls carry its name in `namespace`. */
export interface ResponseNamespaceTool {
  readonly type: 'namespace';
  readonly name: string;
  readonly description?: string;
  readonly tools: readonly (ResponseFunctionTool | ResponseCustomTool)[];
}

export type ResponseWebSearchToolType =
  'web_search' | 'web_search_2025_08_26' | 'web_search_preview' | 'web_search_preview_2025_03_11';

export interface ResponseWebSearchTool {
  readonly type: ResponseWebSearchToolType;
  /** Default `medium`. */
  readonly search_context_size?: SearchContextSize;
  readonly user_location?: {
    readonly type?: 'approximate';
    readonly city?: string;
    /** Two letters, ISO 3166. */
    readonly country?: string;
    readonly region?: string;
    /** An IANA name. */
    readonly timezone?: string;
  };
  readonly filters?: { readonly allowed_domains?: readonly string[] };
  /** False: only content that was fetched before. Such a search is not available here. Default true. */
  readonly external_web_access?: boolean;
}

/** A tool that runs inside of a hosted service, such as `file_search` or `mcp`, with fields of its own. This server runs none. */
export interface ResponseHostedTool {
  readonly type: string;
}

export type ResponseTool =
  ResponseFunctionTool | ResponseCustomTool | ResponseNamespaceTool | ResponseWebSearchTool | ResponseHostedTool;

/** A function as a response shows it: what was not set is null. */
export interface ResponseShownFunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string | null;
  readonly parameters: JsonSchemaObject | null;
  readonly strict: boolean | null;
}

/** A tool as a response shows it. */
export type ResponseShownTool =
  ResponseShownFunctionTool | ResponseCustomTool | ResponseNamespaceTool | ResponseWebSearchTool | ResponseHostedTool;

/** One function. `namespace` where it belongs to one. */
export interface ResponseFunctionChoice {
  readonly type: 'function';
  readonly name: string;
  readonly namespace?: string;
}

/** One custom tool. `namespace` where it belongs to one. */
export interface ResponseCustomChoice {
  readonly type: 'custom';
  readonly name: string;
  readonly namespace?: string;
}

/** A tool without a name, such as `web_search`. */
export interface ResponseHostedChoice {
  readonly type: string;
}

export type ResponseNamedChoice = ResponseFunctionChoice | ResponseCustomChoice | ResponseHostedChoice;

export interface ResponseAllowedTools {
  readonly type: 'allowed_tools';
  readonly mode: 'auto' | 'required';
  readonly tools: readonly ResponseNamedChoice[];
}

export type ResponseToolChoice = 'none' | 'auto' | 'required' | ResponseNamedChoice | ResponseAllowedTools;

export type ResponseTextFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly description?: string;
      readonly schema: JsonSchemaObject;
      readonly strict?: boolean;
    };
