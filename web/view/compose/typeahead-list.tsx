import type { RefObject } from 'preact'
import type { Suggestion } from '../../model/writing/suggestion.ts'
import { texts } from '../../texts/texts.ts'
import { withFlags } from '../emoji/flags.ts'
import { Avatar } from '../parts/avatar.tsx'
import { ChoiceList } from '../parts/choice-list.tsx'
import type { Choices } from '../parts/combobox.ts'

interface TypeaheadListProps {
  typeahead: { box: RefObject<HTMLTextAreaElement | null>; choices: Choices<Suggestion> }
}

/** Suggestions for the word before the caret. */
export const TypeaheadList = ({ typeahead: { box, choices } }: TypeaheadListProps) => (
  // By place: the next key shows others in the same lines.
  <ChoiceList choices={choices} label={texts.common.suggestions} beside={() => box.current} keyOf={(_, at) => at}>
    {({ user_id, characters, label, detail }) => (
      <>
        {user_id !== undefined && <Avatar key={user_id} user_id={user_id} size={20} />}
        {characters && <span class="emoji">{withFlags(characters)}</span>}
        <span class="name">{label}</span>
        {detail && <span class="quiet small">{detail}</span>}
      </>
    )}
  </ChoiceList>
)
