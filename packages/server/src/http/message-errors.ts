import type { MessageError } from '@modelwire/schema/types';
import type { HttpRequest } from '../call.ts';
import type { RequestError } from '../errors.ts';
import { pathOf } from './router.ts';

const messagesPath = /^(?:\/v1)?\/messages(?:\/|$)/;

/** Whether a request, which may have no route, belongs to the Anthropic Messages API: by its path, or by its client. */
export function isMessagesRequest({ url, header }: Pick<HttpRequest, 'url' | 'header'>): boolean {
  return messagesPath.test(pathOf(url)) || speaksMessages(header);
}

/** Whether a client uses the Anthropic Messages API, at any path. Every version of it is accepted. */
export function speaksMessages(header: HttpRequest['header']): boolean {
  return header('anthropic-version') !== null;
}

const typesByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

type MessageFailure = Pick<RequestError, 'status' | 'message' | 'param'> & { readonly code: string | null };

/** The error body in the form of the Messages API. */
export function messageErrorBody({ status, message, code, param }: MessageFailure, requestId: string): MessageError {
  const type = typesByStatus[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  // Clients compact the conversation when they read these words.
  const words = code === 'context_length_exceeded' ? `prompt is too long: ${message}` : message;
  return {
    type: 'error',
    error: { type, message: words, details: { error_code: code, param } },
    request_id: requestId,
  };
}
