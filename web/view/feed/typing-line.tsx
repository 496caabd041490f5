import type { Conversation } from '../../model/reading/conversations.ts'
import { isMutedUser, nameOf } from '../../model/reading/people.ts'
import { typersIn } from '../../model/reading/typing.ts'
import { listed, said } from '../said.tsx'
import { useSession } from '../session-context.ts'

/** Who is writing here. Its room is there always, so that nothing moves. */
export function TypingLine({ conversation }: { conversation: Conversation | undefined }) {
  const session = useSession()
  const names = conversation
    ? typersIn(session, conversation)
        .filter((id) => !isMutedUser(session, id))
        .map((id) => nameOf(session, id))
    : []
  const text =
    names.length === 0
      ? ''
      : names.length === 1
        ? said`${names[0]} is writing …`
        : names.length < 4
          ? said`${listed(names.slice(0, -1))} and ${names.at(-1)} are writing …`
          : 'Several people are writing …'
  return (
    <p class="typing" aria-live="off">
      {text}
    </p>
  )
}
