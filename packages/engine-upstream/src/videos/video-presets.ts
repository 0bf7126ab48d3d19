import type { VideoVariant } from '@modelwire/videos';

/** How a kind of server with `/videos` differs from the interface. */
export interface VideoPreset {
  /** The files that it has of a video. */
  readonly variants: readonly VideoVariant[];
  /** Whether it has `/videos/{video_id}/remix`, and `/videos/extensions`. */
  readonly remix: boolean;
  /** Maximum length of a video with its extensions. */
  readonly maxSeconds?: number;
  /** The form field of a video to start from. Undefined: it reads none. */
  readonly sourceField?: string;
  /** Whether it reads forms alone, not JSON. */
  readonly onlyForms?: boolean;
  /** Whether it accepts `seed`. */
  readonly seed?: boolean;
  /** Whether it forgets its videos when it restarts. They are created again. */
  readonly forgets?: boolean;
  /** Whether it may store a video elsewhere, and name its place as `url`. */
  readonly storesElsewhere?: boolean;
  /** Whether the response to the request that creates a video has the video itself, in base64. */
  readonly inReply?: boolean;
}

/** Kinds of servers, from their source. */
export const videoPresets = {
  /** The hosted interface, whose documentation had the maximum, and Modelwire. */
  hosted: { variants: ['video', 'thumbnail', 'spritesheet'], remix: true, maxSeconds: 120 },
  /**
   * vLLM-Omni 0.30.0, `entrypoints/openai/api_server.py`: `/content` ignores `variant`. The status of a failed video is that of
   * its error. Videos are in memory.
   */
  'vllm-omni': {
    variants: ['video'],
    remix: false,
    sourceField: 'input_references',
    onlyForms: true,
    seed: true,
    forgets: true,
  },
  /**
   * SGLang 0.5.23, `multimodal_gen/runtime/entrypoints/openai/video_api.py`: `variant` of `/content` is the index of an output, any
   * name is a 404. Videos are in memory.
   */
  sglang: {
    variants: ['video'],
    remix: false,
    sourceField: 'video_reference',
    seed: true,
    forgets: true,
    storesElsewhere: true,
  },
  /**
   * Dynamo 1.6.1, `lib/llm/src/protocols/openai/videos.rs`: only `POST /videos`, whose reply is the video. The seed and other
   * parameters of models are fields of `nvext`; an image is a data URL.
   */
  dynamo: { variants: ['video'], remix: false, inReply: true },
} satisfies Readonly<Record<string, VideoPreset>>;

export type VideoPresetName = keyof typeof videoPresets;
