export { deleteInEarlierVersion, expectDeletedCursors } from './earlier-deletion.ts';
export { earlierReplica, readRecording, type EarlierReplica, type RecordedStatement } from './earlier-replica.ts';
export { expectEarlierRecords } from './expect-earlier-records.ts';
export { miscountedProjects } from './miscounted-projects.ts';
export { testReleasedMigrations } from './released-migrations.ts';
export { claimAndReleaseJob, prepareWorkCalls, removeDueBytes } from './work-calls.ts';
