import { reference } from '../format.ts'

/** What contents of the exporting server may refer to by its ids. */
export interface ZulipIds {
  user(id: string): boolean
  channel(id: string): boolean
  /** An uploaded file, by the path in its address. */
  file(path: string): boolean
}

const mention = /(@_?)\*\*[^*\n|]{0,200}\|(\d{1,15})\*\*/g
const messageLink = /#\*\*[^*\n]{1,300}@(\d{1,15})\*\*/g
const narrow = /#narrow\/(?:stream|channel)\/(\d{1,15})(?=[-/\s)]|$)/g
const near = /(#narrow\/[^\s)]{0,400}\/(?:near|with)\/)(\d{1,15})/g
const upload = /(?<![\w])\/user_uploads\/([^\s)\]"'<>?#]{1,500})/g

/** Replaces the exporting server's ids in a content with references. */
export function fromZulip(text: string, ids: ZulipIds): string {
  if (!/[@#/]/.test(text)) return text
  return text
    .replace(mention, (all, sign: string, id: string) =>
      ids.user(id) ? reference(sign === '@' ? 'user' : 'silent', id) : all,
    )
    .replace(messageLink, (_, id: string) => reference('message', id))
    .replace(narrow, (all, id: string) => (ids.channel(id) ? `#narrow/channel/${reference('channel_id', id)}` : all))
    .replace(near, (_, before: string, id: string) => before + reference('message_id', id))
    .replace(upload, (all, path: string) => (ids.file(path) ? reference('file', path) : all))
}
