export { miscountedProjects } from './miscounted-projects.ts';
export { describeQueryPlans } from './query-plans/describe-query-plans.ts';
export { rowCount } from './query-plans/many-rows.ts';
