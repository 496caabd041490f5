import { texts } from '../../texts/texts.ts'
import { fromCode } from '../emoji/from-code.ts'
import { Avatar } from '../parts/avatar.tsx'
import type { Typeahead } from './use-typeahead.ts'

/** Suggestions for the word before the caret. */
export function TypeaheadList({ typeahead: { id, found, active, choose } }: { typeahead: Typeahead }) {
  const items = found.value?.items
  if (!items) return null
  return (
    <div id={id} class="suggestions" role="listbox" aria-label={texts.common.suggestions}>
      {items.map((item, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys.
        <div
          // By place: the next key shows others in the same lines.
          key={i}
          id={`${id}-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === active.value}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(item)}
        >
          {item.user_id !== undefined && <Avatar key={item.user_id} user_id={item.user_id} size={20} />}
          {item.emoji?.reaction_type === 'unicode_emoji' && (
            <span class="emoji">{fromCode(item.emoji.emoji_code)}</span>
          )}
          <span class="name">{item.label}</span>
          {item.detail && <span class="quiet small">{item.detail}</span>}
        </div>
      ))}
    </div>
  )
}
