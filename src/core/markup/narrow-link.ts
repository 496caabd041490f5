/** Encodes one part of a `#narrow/…` address the way clients decode it: percent encoding with `.` for `%`. */
export function encodeHashComponent(text: string): string {
  // A lone surrogate has no encoding; it is replaced by the replacement character.
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}

/**
 * The URL of a stream, a topic in it, or a message there: `near` links to the message, `with` to its topic, wherever
 * that is moved.
 */
export function narrowUrl(
  stream: { id: number; name: string },
  topic?: string,
  message: { near?: number | string | undefined; with?: number | undefined } = {},
): string {
  let url = `/#narrow/channel/${stream.id}-${encodeHashComponent(stream.name.replaceAll(' ', '-'))}`
  if (topic !== undefined) url += `/topic/${encodeHashComponent(topic)}`
  if (message.near !== undefined) url += `/near/${message.near}`
  else if (message.with !== undefined) url += `/with/${message.with}`
  return url
}
