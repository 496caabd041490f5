import type { ComponentChildren } from 'preact'
import type { Message } from '../../../src/client/index.ts'
import { findConversations, latestConversations } from '../../model/palette/conversations.ts'
import { type FoundMessages, searchNarrow } from '../../model/palette/found-messages.ts'
import { type Ranked, ranked, wordsOf } from '../../model/palette/match.ts'
import { findChannels, findPersons, views } from '../../model/palette/places.ts'
import {
  addressOf,
  type Conversation,
  conversationKey,
  conversationOf,
  streamName,
  topicName,
} from '../../model/reading/conversations.ts'
import { plainText } from '../../model/reading/excerpt.ts'
import { nameOf, namesOf, shownName } from '../../model/reading/people.ts'
import { unreadOf } from '../../model/reading/unread.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { isolated } from '../../model/state/isolated.ts'
import { go, goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { foldedName } from '../../model/writing/matching.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import type { SettingPlace } from '../settings/setting-places.ts'
import { commands } from './commands.ts'

export interface PaletteItem {
  key: string
  label: string
  /** Where it is, or what it belongs to. */
  about?: string | undefined
  mark: ComponentChildren
  /** The key that does the same. */
  hint?: string | undefined
  unread?: number
  run(): unknown
}

export interface PaletteGroup {
  name: string
  items: readonly PaletteItem[]
}

const MOST = 4
const LONGEST = 120

function ofConversation(session: Session, conversation: Conversation): PaletteItem {
  const state = session.read('streams')
  const key = conversationKey(conversation)
  const shared = {
    key,
    unread: unreadOf(session).value.threads.get(key)?.ids.length ?? 0,
    run: () => go(addressOf(conversation, state)),
  }
  if (conversation.type === 'direct') {
    const label = namesOf(session, conversation.user_ids)
    return { ...shared, label, mark: <Avatar user_id={conversation.user_ids[0]!} size={20} /> }
  }
  const stream = state.subscriptions.find(({ stream_id }) => stream_id === conversation.stream_id)
  return {
    ...shared,
    label: topicName(conversation.topic, state),
    about: streamName(state, conversation.stream_id),
    mark: <StreamMark stream={stream ?? { invite_only: false }} />,
  }
}

function ofMessage(session: Session, message: Message): PaletteItem {
  const conversation = conversationOf(message, session.state.user_id)
  const place =
    conversation.type === 'direct'
      ? texts.places.directMessages
      : `${streamName(session.state, conversation.stream_id) ?? texts.common.unknownChannel} › ${topicName(conversation.topic, session.state)}`
  return {
    key: `message ${message.id}`,
    label: plainText(message.content).replace(/\s+/g, ' ').slice(0, LONGEST),
    about: pieceTexts.palette.sentBy(
      isolated(nameOf(session, message.sender_id, message.sender_full_name)),
      isolated(place),
    ),
    mark: <Avatar user_id={message.sender_id} size={20} />,
    run: () => go(addressOf(conversation, session.state, message.id)),
  }
}

const icons: Readonly<Record<string, IconName>> = {
  '#recent': 'clock',
  '#narrow/is/mentioned': 'at',
  '#narrow/is/starred': 'star',
  '#narrow/is/dm': 'people',
  '#drafts': 'pencil',
  '#scheduled': 'clock',
  '#streams': 'hash',
  '#people': 'people',
  '#search': 'search',
  '#settings/profile': 'settings',
}

const ofView = ([label, address]: readonly [string, string]): PaletteItem => ({
  key: address,
  label,
  mark: <Icon name={icons[address] ?? 'inbox'} />,
  run: () => go(address),
})

/** What is offered before anything is typed: conversations opened last, views, and commands. */
const offered = (session: Session): PaletteGroup[] => [
  { name: pieceTexts.palette.recent, items: latestConversations(session).map((one) => ofConversation(session, one)) },
  { name: texts.shell.views, items: views.map(ofView) },
  { name: pieceTexts.palette.commands, items: commands(session).map(ofCommand) },
]

const ofCommand = ({ label, hint, run }: ReturnType<typeof commands>[number]): PaletteItem => ({
  key: `command ${label}`,
  label,
  mark: <Icon name="chevron" />,
  hint,
  run,
})

/**
 * Everything that matches a query, by kind: the kind with the best match first, and messages last. Settings are
 * undefined until they are loaded.
 */
export function paletteGroups(
  session: Session,
  query: string,
  { query: searched, messages }: FoundMessages,
  settings: readonly SettingPlace[] = [],
): PaletteGroup[] {
  const words = wordsOf(query)
  if (words.length === 0) return offered(session).filter(({ items }) => items.length > 0)
  const group = <T,>(name: string, found: readonly Ranked<T>[], itemOf: (thing: T) => PaletteItem) => ({
    name,
    items: found.map(({ thing }) => itemOf(thing)),
    rank: found[0]?.rank ?? 0,
  })
  const groups = [
    group(pieceTexts.palette.conversations, findConversations(session, words), (one) => ofConversation(session, one)),
    group(texts.places.channels, findChannels(session, words), ({ stream_id, name, invite_only }) => ({
      key: `channel ${stream_id}`,
      label: name,
      mark: (
        <StreamMark
          stream={session.state.subscriptions.find((one) => one.stream_id === stream_id) ?? { invite_only }}
        />
      ),
      run: () => go(narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name)),
    })),
    group(texts.places.people, findPersons(session, words), (person) => ({
      key: `person ${person.user_id}`,
      label: shownName(session, person),
      mark: <Avatar user_id={person.user_id} size={20} />,
      run: () => go(addressOf({ type: 'direct', user_ids: [person.user_id] })),
    })),
    group(
      texts.shell.views,
      ranked(views, words, ([label]) => foldedName(label), MOST),
      ofView,
    ),
    group(
      pieceTexts.palette.commands,
      ranked(commands(session), words, ({ label }) => foldedName(label), MOST),
      ofCommand,
    ),
    group(
      texts.places.settings,
      ranked(settings, words, ({ label, page = '' }) => foldedName(`${label} ${page}`), MOST),
      ({ label, page, address }) => ({
        key: `setting ${address} ${label}`,
        label,
        about: page,
        mark: <Icon name="settings" />,
        run: () => go(address),
      }),
    ),
  ]
  const trimmed = query.trim()
  const search: PaletteItem = {
    key: 'search',
    label: pieceTexts.palette.searchFor(isolated(trimmed)),
    mark: <Icon name="search" />,
    run: () => goToNarrow(searchNarrow(session, trimmed)),
  }
  const found = searched === trimmed ? messages.map((one) => ofMessage(session, one)) : []
  return [
    ...groups.filter(({ items }) => items.length > 0).sort((a, b) => a.rank - b.rank),
    { name: texts.conversation.messages, items: [...found, search] },
  ]
}
