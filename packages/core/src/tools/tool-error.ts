import { ModelwireError } from '../errors.ts';

/** A tool threw, or was called with arguments that its schema rejects. `cause` is what it threw. */
export class ToolError extends ModelwireError {
  override readonly name = 'ToolError';
  readonly tool: string;
  readonly callId: string;

  constructor(message: string, tool: string, callId: string, cause?: unknown) {
    super(message, { cause });
    this.tool = tool;
    this.callId = callId;
  }
}
