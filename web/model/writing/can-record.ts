/** The formats of recordings, best first, with the endings that the server knows. */
const formats = [
  ['audio/mp4', 'm4a'],
  ['audio/webm', 'weba'],
  ['audio/ogg', 'ogg'],
] as const

/** Returns the format in which this browser records, and the ending of its files. */
export const recordingFormat = () => formats.find(([type]) => MediaRecorder.isTypeSupported(type))

/** Whether this browser records sound. Pages over plain HTTP may not. */
export const canRecord = (): boolean =>
  'mediaDevices' in navigator && typeof MediaRecorder !== 'undefined' && recordingFormat() !== undefined
