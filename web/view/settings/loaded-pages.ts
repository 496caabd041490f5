/** What is loaded when the first of it is shown. One file names all of it: one of these soon leads to another. */

export { openHistory } from '../feed/history.tsx'
export { openMove } from '../feed/move-dialog.tsx'
export { openReaders } from '../feed/readers.tsx'
export { People } from '../lists/people.tsx'
export { ScheduledList } from '../lists/scheduled.tsx'
export { Streams } from '../lists/streams.tsx'
export { Welcome } from '../lists/welcome.tsx'
export { openHelp } from '../shell/help.tsx'
export { SpectatorBar, SpectatorHeader, SpectatorNotice, SpectatorPlaces } from '../sign-in/spectator-parts.tsx'
export { StreamPage } from '../streams/stream-page.tsx'
export { openStatus } from './own/status-form.tsx'
export { Settings } from './settings.tsx'
