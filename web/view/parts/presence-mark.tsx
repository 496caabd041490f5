import { presenceOf, presenceWord } from '../../model/reading/people.ts'
import { useSession } from '../session-context.ts'

export function PresenceMark({ user_id }: { user_id: number }) {
  const presence = presenceOf(useSession(), user_id)
  return (
    <span class="presence-place">
      <span class={`presence ${presence}`} />
      <span class="hidden">{presenceWord(presence)}: </span>
    </span>
  )
}
