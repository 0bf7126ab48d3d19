export { miscountedProjects } from './miscounted-projects.ts';
export { claimAndReleaseJob, prepareWorkCalls, removeDueBytes } from './work-calls.ts';
