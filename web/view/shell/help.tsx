import { openDialog } from '../parts/dialog.tsx'

const groups: readonly { title: string; keys: readonly (readonly [keys: string, what: string])[] }[] = [
  {
    title: 'Reading',
    keys: [
      ['j / ↓', 'next message'],
      ['k / ↑', 'message before'],
      ['n', 'next conversation with something unread'],
      ['p', 'next direct conversation with something unread'],
      ['End', 'newest message'],
      ['U', 'unread from here'],
      ['A', 'all of it read'],
      ['v', 'image'],
      ['u', 'who sent it'],
    ],
  },
  {
    title: 'Writing',
    keys: [
      ['c', 'write'],
      ['r', 'reply'],
      ['>', 'quote and reply'],
      ['x', 'new direct message'],
      ['e', 'edit'],
      ['↑', 'edit your last message, from an empty box'],
      ['Ctrl+B', 'bold'],
      ['Ctrl+I', 'italic'],
      ['+', 'react'],
      ['*', 'star'],
      ['Ctrl+Enter', 'send (or Enter, by a setting)'],
    ],
  },
  {
    title: 'Going',
    keys: [
      ['Ctrl+K', 'to anything'],
      ['/', 'search'],
      ['g i', 'inbox'],
      ['g r', 'recent conversations'],
      ['g s', 'starred'],
      ['g m', 'mentions'],
      ['g d', 'drafts'],
      ['g a', 'all messages'],
      ['w', 'people'],
      ['[', 'conversations, shown or hidden'],
      ['Esc', 'back'],
      ['?', 'these keys'],
    ],
  },
]

export function openHelp(): void {
  openDialog('Keyboard shortcuts', <Help />)
}

function Help() {
  return (
    <div class="help">
      {groups.map(({ title, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([key, what]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
