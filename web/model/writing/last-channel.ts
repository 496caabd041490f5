import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'

const STORED = storedName('last-channel')

/** Remembers the last channel a message was sent to, for the next message. */
export const noteChannel = (stream_id: number): void => browserStorage().setItem(STORED, String(stream_id))

/** The channel a message was sent to last; 0 if there is none. */
export const lastChannel = (): number => Number(browserStorage().getItem(STORED))
