import '../../styles/help.css'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { openDialog } from '../parts/dialog.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { SessionProvider } from '../session-context.ts'
import { FormattingHelp } from './formatting-help.tsx'

const groups: readonly { title: string; keys: readonly (readonly [keys: string, what: string])[] }[] = [
  {
    title: pageTexts.shortcuts.reading,
    keys: [
      ['j / ↓', pageTexts.shortcuts.nextMessage],
      ['k / ↑', pageTexts.shortcuts.previousMessage],
      ['n', pageTexts.shortcuts.nextUnread],
      ['p', pageTexts.shortcuts.nextUnreadDirect],
      ['s', pageTexts.shortcuts.openConversation],
      ['S', pageTexts.shortcuts.openChannel],
      ['End', pageTexts.shortcuts.newest],
      ['U', pageTexts.shortcuts.markUnread],
      ['A', pageTexts.shortcuts.markAllRead],
      ['M', pageTexts.shortcuts.muteTopic],
      ['v', pageTexts.shortcuts.images],
      ['u', pageTexts.shortcuts.sender],
      ['H', pageTexts.shortcuts.history],
    ],
  },
  {
    title: pageTexts.shortcuts.writing,
    keys: [
      ['c', pageTexts.shortcuts.compose],
      ['r / Enter', pageTexts.shortcuts.reply],
      ['R', pageTexts.shortcuts.replyToSender],
      ['>', pageTexts.shortcuts.quote],
      ['@', pageTexts.shortcuts.mention],
      ['x', pageTexts.shortcuts.newDirect],
      ['e', pageTexts.shortcuts.edit],
      ['m', pageTexts.shortcuts.move],
      ['i', pageTexts.shortcuts.actions],
      ['+', pageTexts.shortcuts.react],
      ['=', pageTexts.shortcuts.thumbsUp],
      ['*', pageTexts.shortcuts.star],
    ],
  },
  {
    title: pageTexts.shortcuts.composer,
    keys: [
      ['Ctrl+Enter', pageTexts.shortcuts.send],
      ['↑', pageTexts.shortcuts.editLast],
      ['Ctrl+B', pageTexts.shortcuts.bold],
      ['Ctrl+I', pageTexts.shortcuts.italic],
      ['Ctrl+K', pageTexts.shortcuts.link],
      ['Ctrl+.', pageTexts.shortcuts.goToRecipient],
      ['Esc', pageTexts.shortcuts.leave],
    ],
  },
  {
    title: pageTexts.shortcuts.going,
    keys: [
      ['Ctrl+K', pageTexts.shortcuts.goTo],
      ['/', pageTexts.shortcuts.search],
      ['g i / I', pageTexts.shortcuts.inbox],
      ['g r / t', pageTexts.shortcuts.recent],
      ['g s', pageTexts.shortcuts.starred],
      ['g m', pageTexts.shortcuts.mentions],
      ['g d / d', pageTexts.shortcuts.drafts],
      ['g a / a', pageTexts.shortcuts.allMessages],
      ['P', pageTexts.shortcuts.directMessages],
      ['w', pageTexts.shortcuts.people],
      ['[', pageTexts.shortcuts.sidebar],
      ['Esc', pageTexts.shortcuts.back],
      ['?', pageTexts.shortcuts.help],
    ],
  },
]

const names = pageTexts.shortcuts.keys

/** Shows the keys, and how to format messages. */
export function openHelp(session: Session): void {
  openDialog(
    pageTexts.help.title,
    <SessionProvider value={session}>
      <Help />
    </SessionProvider>,
  )
}

const Help = () => (
  <Tabs
    label={pageTexts.help.title}
    tabs={[
      { name: 'keys', title: pageTexts.shortcuts.title, content: () => <Keys /> },
      { name: 'formatting', title: pageTexts.help.formatting, content: () => <FormattingHelp /> },
    ]}
  />
)

const Keys = () => (
  <div class="help">
    {groups.map(({ title, keys }) => (
      <section key={title}>
        <h3>{title}</h3>
        <dl>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                {key.split(' / ').map((one) => (
                  <kbd key={one}>{one.replace(/Ctrl|Enter|Esc|End/g, (name) => names[name as keyof typeof names])}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </div>
)
