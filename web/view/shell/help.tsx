import { openDialog } from '../parts/dialog.tsx'

const groups: readonly { title: string; keys: readonly (readonly [keys: string, what: string])[] }[] = [
  {
    title: 'Reading',
    keys: [
      ['j / ↓', 'next message'],
      ['k / ↑', 'message before'],
      ['n', 'next conversation with something unread'],
      ['p', 'next direct conversation with something unread'],
      ['s', 'the conversation of the message'],
      ['S', 'the stream of the message'],
      ['End', 'newest message'],
      ['U', 'unread from here'],
      ['A', 'all of it read'],
      ['M', 'mute the topic, or end that'],
      ['v', 'image'],
      ['u', 'who sent it'],
      ['H', 'how it was edited'],
    ],
  },
  {
    title: 'Writing',
    keys: [
      ['c', 'write'],
      ['r / Enter', 'reply'],
      ['R', 'reply to its sender alone'],
      ['>', 'quote and reply'],
      ['@', 'mention its sender'],
      ['x', 'new direct message'],
      ['e', 'edit'],
      ['m', 'move'],
      ['i', 'all that can be done with a message'],
      ['+', 'react'],
      ['=', 'join the first reaction, or thumbs up'],
      ['*', 'star'],
    ],
  },
  {
    title: 'In the box',
    keys: [
      ['Ctrl+Enter', 'send (or Enter, by a setting)'],
      ['↑', 'edit your last message, from an empty box'],
      ['Ctrl+B', 'bold'],
      ['Ctrl+I', 'italic'],
      ['Ctrl+K', 'link, over selected words'],
      ['Ctrl+.', 'go where it will be sent'],
      ['Esc', 'leave the box; what was written stays'],
    ],
  },
  {
    title: 'Going',
    keys: [
      ['Ctrl+K', 'to anything'],
      ['/', 'search'],
      ['g i / I', 'inbox'],
      ['g r / t', 'recent conversations'],
      ['g s', 'starred'],
      ['g m', 'mentions'],
      ['g d / d', 'drafts'],
      ['g a / a', 'all messages'],
      ['P', 'all direct messages'],
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
                  {key.split(' / ').map((one) => (
                    <kbd key={one}>{one}</kbd>
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
}
