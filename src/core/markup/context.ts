/** Where a linkifier's pattern matched, and the URL it makes. */
export interface LinkifierMatch {
  start: number
  end: number
  url: string
}

/** A pattern of the organization and the URL its matches link to. */
export interface Linkifier {
  /** Whether there may be a match; fast, since most texts have none. */
  mayMatch(text: string): boolean
  /** Cost of matching: the size of the pattern times the size of the text. */
  cost(text: string): number
  matches(text: string): Iterable<LinkifierMatch>
}

/** Everything rendering needs to know; looked up beforehand, because rendering is synchronous. */
export interface MarkupContext {
  /** By lower-case full name; several people may share one. A mention of a user who `isSilent` notifies nobody. */
  users: ReadonlyMap<string, readonly { id: number; full_name: string; isSilent?: boolean }[]>
  /** By lower-case name. */
  groups: ReadonlyMap<string, { id: number; name: string; isSilent?: boolean }>
  /** By lower-case name, with the newest message of each topic that the text refers to, by the topic as typed. */
  streams: ReadonlyMap<string, { id: number; name: string; newest?: ReadonlyMap<string, number> }>
  /** By name; active ones only. */
  customEmoji: ReadonlyMap<string, { id: string; url: string }>
  /** Uploaded images that are shown below links to them: the attributes of the `<img>`, by path after `/user_uploads/`. */
  images: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** Uploaded audio that players play, by path after `/user_uploads/`. */
  audio?: ReadonlySet<string>
  /** Whether they are; true unless given. */
  previewImages?: boolean
  /**
   * In the organization's order: the first one that matches at a place wins. Linkifiers without a match in the text may
   * be left out.
   */
  linkifiers: readonly Linkifier[]
  /** Own origin, such as `https://chat.example.com`. Links to it are written relative. */
  realmUrl: string
  /** Path below which the server is, such as `/chat`; none at the root. Links that begin with it are written without. */
  basePath?: string
  /** The language of fences without one; plain text unless it is given. */
  defaultCodeLanguage?: string
  /** Milliseconds since 1970, for times without a date. */
  now?: number
  /** Whether the sender wants `:)` to become an emoji. */
  translateEmoticons: boolean
}

/** A rendered message and what it contains. */
export interface Rendered {
  html: string
  mentionedUserIds: number[]
  mentionedGroupIds: number[]
  /** `@**all**`, `@**everyone**`, `@**channel**` or `@**stream**`. */
  streamWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  isMeMessage: boolean
  /** Linked uploads, as the path after `/user_uploads/`. */
  attachmentPaths: string[]
}

/** References in a message's text for the caller to look up, including the ones in code. */
export interface References {
  userNames: string[]
  userIds: number[]
  groupNames: string[]
  streamNames: string[]
  /** `stream>topic`, the topic as it was typed. */
  topics: string[]
  /** Possible custom emoji, including Unicode names because custom emoji can override them. */
  emojiNames: string[]
}
