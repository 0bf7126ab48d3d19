export * from '@modelwire/ports/suites/stores';
