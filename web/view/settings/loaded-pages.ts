/**
 * What is loaded when the first of it is shown. One file names all of it: with several, the bundler puts what they share with
 * the first screen into a script of its own, which the first screen would then wait for.
 */
export { ScheduledList } from '../lists/scheduled.tsx'
export { ArchivedStreams } from '../streams/archived-streams.tsx'
export { StreamPage } from '../streams/stream-page.tsx'
export { openStatus } from './own/status-form.tsx'
export { Settings } from './settings.tsx'
