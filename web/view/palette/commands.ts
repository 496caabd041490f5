import { loadPart } from '../../model/state/load-part.ts'
import type { Session } from '../../model/state/session.ts'
import { composeTo } from '../../model/writing/compose.ts'
import { firstStream } from '../../model/writing/rights.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { chooseChannel } from '../compose/choose-channel.tsx'
import { readAll } from '../feed/read-all.ts'
import { toggleMute } from '../feed/toggle-mute.ts'
import { currentFeed } from '../parts/current-feed.ts'
import { layoutOf } from '../parts/layout.ts'
import { mayInvite, openInvite } from '../settings/invite.tsx'
import { askThenSignOut } from '../sign-in/ask-sign-out.ts'

export interface Command {
  label: string
  /** The key that does the same. */
  hint?: string
  run(): unknown
}

const pages = () => loadPart(() => import('../settings/loaded-pages.ts'))

/** What the reader can do from here. */
export function commands(session: Session): Command[] {
  const { client, state } = session
  const layout = layoutOf(session)
  const feed = currentFeed(session).peek()
  const theme = (color_scheme: 1 | 2 | 3) => () => client.updateSettings({ color_scheme })
  const all: (Command | false | undefined)[] = [
    firstStream(state) !== undefined && {
      label: pieceTexts.palette.newMessage,
      hint: 'c',
      run: () => chooseChannel(session),
    },
    {
      label: texts.shell.newDirectMessage,
      hint: 'x',
      run: () => composeTo(session, { type: 'direct', user_ids: [] }),
    },
    feed && {
      label: texts.actions.markAllRead,
      hint: texts.actions.markAllReadKey,
      run: () => readAll(session, feed.narrow),
    },
    feed?.conversation?.type === 'stream' && {
      label: pieceTexts.palette.muteTopic,
      hint: 'M',
      run: () => toggleMute(session),
    },
    feed && {
      label: pieceTexts.jumpToDate.menu,
      run: async () => (await loadPart(() => import('../feed/jump-to-date.tsx'))).openJumpToDate(session, feed.narrow),
    },
    { label: texts.shell.setStatus, run: async () => (await pages()).openStatus(session) },
    mayInvite(state) && { label: pieceTexts.palette.invite, run: () => openInvite(session) },
    { label: texts.shell.lightTheme, run: theme(3) },
    { label: texts.shell.darkTheme, run: theme(2) },
    { label: texts.shell.systemTheme, run: theme(1) },
    { label: pieceTexts.palette.togglePeople, hint: 'w', run: layout.togglePeople },
    { label: pieceTexts.palette.toggleSidebar, hint: '[', run: layout.toggleList },
    { label: texts.shell.shortcuts, hint: '?', run: async () => (await pages()).openHelp(session) },
    { label: texts.shell.signOut, run: () => askThenSignOut(session) },
  ]
  return all.filter((one) => one !== false && one !== undefined)
}
