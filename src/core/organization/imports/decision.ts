import type { ImportRecord, RecordOf } from '../../../import/format.ts'
import type { Emoji } from '../emoji/resolve.ts'

export type UserDecision =
  | { how: 'existing'; id: number }
  | {
      how: 'new' | 'stub'
      email: string
      name: string
      /** Of a stub: where its person can be invited. */
      address?: string
    }

/** A record of a kind that is decided by its own rules. */
type RuledKind = 'user' | 'channel' | 'message'
/** A line about the source itself, which brings no data. */
type Remark = 'header' | 'left_out' | 'changed'

/** A record ready to write. */
export type Decision =
  | { record: RecordOf<'user'>; place: string; user: UserDecision }
  | { record: RecordOf<'channel'>; place: string; name: string; existing: number | undefined }
  | { record: RecordOf<'message'>; place: string; reactions: (Emoji & { user: string })[] }
  | { record: Exclude<ImportRecord, RecordOf<RuledKind | Remark>>; place: string }

export type MessageDecision = Extract<Decision, { record: RecordOf<'message'> }>
export type OtherDecision = Exclude<Decision, MessageDecision>
/** What people have saved for later. It is written after the messages, because it may refer to them. */
export type UnsentDecision = { record: RecordOf<UnsentKind>; place: string }
type UnsentKind = 'draft' | 'scheduled_message' | 'reminder'
