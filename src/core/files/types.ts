/** Types that a browser may show because they can't run code. All others are saved. */
const inlineTypes: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['pdf'],
  'audio/aac': ['aac'],
  'audio/flac': ['flac'],
  'audio/mp4': ['m4a'],
  'audio/mpeg': ['mp3'],
  'audio/ogg': ['oga', 'ogg', 'opus'],
  'audio/wav': ['wav'],
  'audio/webm': ['weba'],
  'image/apng': ['apng'],
  'image/avif': ['avif'],
  'image/gif': ['gif'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'text/plain': ['txt', 'text', 'log'],
  'video/mp4': ['mp4', 'm4v'],
  'video/ogg': ['ogv'],
  'video/webm': ['webm'],
}
const typeOfEnding = new Map(Object.entries(inlineTypes).flatMap(([type, endings]) => endings.map((e) => [e, type])))

const UNKNOWN = 'application/octet-stream'

/** Returns a file's type: the sender's declaration if it is useful, otherwise the type of its extension. */
export function typeOf(name: string, declared: string): string {
  const type = declared.split(';', 1)[0]!.trim().toLowerCase()
  if (/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) && type !== UNKNOWN) return type
  return typeOfEnding.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? UNKNOWN
}

/** Returns whether messages have a player for files of this type. */
export const isPlayed = (content_type: string): boolean => played.has(content_type)
const played = new Set(['audio/aac', 'audio/flac', 'audio/mpeg', 'audio/wav'])

export const isInline = (content_type: string): boolean => Object.hasOwn(inlineTypes, content_type)

/** Returns the type a file is sent with. Files for saving get none, so nothing can treat them as a page. */
export function servedType(content_type: string): string {
  if (!isInline(content_type)) return UNKNOWN
  return content_type === 'text/plain' ? 'text/plain; charset=utf-8' : content_type
}
