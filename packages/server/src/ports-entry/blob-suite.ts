export * from '@modelwire/ports/suites/blobs';
