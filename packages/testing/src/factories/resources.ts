import type {
  ErrorBody,
  FileObject,
  Model,
  ModelCapabilities,
  ModelRuntime,
  ModelList,
  Upload,
  UploadPart,
  UsagePage,
  UsageResult,
} from '@modelwire/schema/types';
import { deletedFactory, factory, pageFactory } from './factory.ts';
import type { Random } from './random.ts';

export function fileFactories(random: Random) {
  const file = factory<FileObject>(() => ({
    id: random.id('file-'),
    object: 'file',
    bytes: random.int(1, 9999),
    created_at: random.time(),
    expires_at: null,
    filename: 'notes.txt',
    purpose: 'user_data',
    status: 'processed',
  }));
  return {
    file,
    fileList: pageFactory(file),
    fileDeleted: deletedFactory(random, 'file-', 'file'),
    upload: factory<Upload>(() => {
      const created_at = random.time();
      return {
        id: random.id('upload_'),
        object: 'upload',
        created_at,
        filename: 'notes.txt',
        bytes: random.int(1, 9999),
        purpose: 'user_data',
        status: 'pending',
        expires_at: created_at + 3600,
        file: null,
      };
    }),
    uploadPart: factory<UploadPart>(() => ({
      id: random.id('part_'),
      object: 'upload.part',
      created_at: random.time(),
      upload_id: random.id('upload_'),
    })),
  };
}

export function modelFactories(random: Random) {
  const model = factory<Model>(() => ({ id: 'gpt-4o', object: 'model', created: random.time(), owned_by: 'tests' }));
  const usageResult = factory<UsageResult>(() => ({
    object: 'organization.usage.completions.result',
    num_model_requests: random.int(1, 99),
    input_tokens: random.int(1, 999),
    output_tokens: random.int(1, 999),
    input_cached_tokens: 0,
    project_id: null,
    api_key_id: null,
    model: null,
  }));
  return {
    model,
    modelList: factory<ModelList>(() => ({ object: 'list', data: [model()] })),
    modelCapabilities: factory<ModelCapabilities>(() => ({
      object: 'model.capabilities',
      model: 'gpt-4o',
      parameters: { temperature: 'native', stop: 'emulated', audio: 'refused' },
      roles: ['system', 'user', 'assistant'],
      inputs: ['text'],
      modalities: ['text'],
      response_formats: ['text'],
      structured_outputs: 'guaranteed',
      tool_types: [],
      grammars: [],
      reasoning_efforts: null,
      verbosities: ['medium'],
      service_tiers: ['auto', 'default'],
    })),
    modelRuntime: factory<ModelRuntime>(() => ({
      backend: 'cpu',
      device: null,
      gpu_layers: 0,
      layers: 31,
      gpu_memory_bytes: 0,
      memory_bytes: 200_000_000,
      context_size: 4096,
      sequences: 4,
    })),
    errorBody: factory<ErrorBody>(() => ({
      error: { message: 'Something is wrong.', type: 'invalid_request_error', param: null, code: null },
    })),
    usageResult,
    usagePage: factory<UsagePage>(() => ({
      object: 'page',
      data: [{ object: 'bucket', start_time: 1_767_225_600, end_time: 1_767_312_000, results: [usageResult()] }],
      has_more: false,
      next_page: null,
    })),
  };
}
