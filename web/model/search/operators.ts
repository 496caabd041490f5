import { pieceTexts } from '../../texts/piece-texts.ts'
import type { Session } from '../state/session.ts'
import { isReadOnly } from '../state/spectator.ts'

interface SearchOperator {
  operator: string
  /** As people write it. */
  shown: string
  example: string
  /** A sentence that says what it finds. */
  text: string
  /** All its possible operands, if they form a list. */
  operands?: Readonly<Record<string, string>>
}

/** What can be searched by. */
export const operators: readonly SearchOperator[] = [
  { operator: 'channel', shown: 'channel', example: 'channel:general', text: pieceTexts.search.inChannel },
  { operator: 'topic', shown: 'topic', example: 'topic:plans', text: pieceTexts.search.inTopic },
  { operator: 'sender', shown: 'sender', example: 'sender:ann', text: pieceTexts.search.bySender },
  { operator: 'mentions', shown: 'mentions', example: 'mentions:ann', text: pieceTexts.search.mentioning },
  { operator: 'dm', shown: 'dm', example: 'dm:ann', text: pieceTexts.search.inDirect },
  {
    operator: 'dm-including',
    shown: 'dm-including',
    example: 'dm-including:ann',
    text: pieceTexts.search.inDirectIncluding,
  },
  {
    operator: 'is',
    shown: 'is',
    example: 'is:starred',
    text: 'starred, mentioned, unread, read, dm, resolved, followed, muted',
    operands: {
      starred: pieceTexts.search.isStarred,
      mentioned: pieceTexts.search.isMention,
      unread: pieceTexts.search.isUnread,
      read: pieceTexts.search.isRead,
      dm: pieceTexts.search.isDirect,
      resolved: pieceTexts.search.isResolved,
      followed: pieceTexts.search.isFollowed,
      muted: pieceTexts.search.isMuted,
      alerted: pieceTexts.search.isAlert,
    },
  },
  {
    operator: 'has',
    shown: 'has',
    example: 'has:link',
    text: pieceTexts.search.hasAny,
    operands: {
      link: pieceTexts.search.hasLink,
      image: pieceTexts.search.hasImage,
      attachment: pieceTexts.search.hasFile,
      reaction: pieceTexts.search.hasReaction,
    },
  },
  {
    operator: 'in',
    shown: 'in',
    example: 'in:home',
    text: pieceTexts.search.inHomeOrAll,
    operands: { home: pieceTexts.search.notMuted, all: pieceTexts.search.everywhere },
  },
  {
    operator: 'channels',
    shown: 'channels',
    example: 'channels:public',
    text: pieceTexts.search.inPublic,
    operands: {
      public: pieceTexts.search.inAllPublic,
      'web-public': pieceTexts.search.inWebPublic,
      archived: pieceTexts.search.inArchived,
    },
  },
  { operator: 'id', shown: 'id', example: 'id:120', text: pieceTexts.search.byId },
]

/** Operators for visitors without an account. The others are about the reader or direct messages. */
const open = new Set(['channel', 'topic', 'sender', 'has'])
export const operatorsFor = (session: Session): readonly SearchOperator[] =>
  isReadOnly(session) ? operators.filter(({ operator }) => open.has(operator)) : operators
