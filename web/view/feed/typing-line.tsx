import type { Conversation } from '../../model/reading/conversations.ts'
import { isMutedUser, nameOf } from '../../model/reading/people.ts'
import { typersIn } from '../../model/reading/typing.ts'
import { isolated } from '../../model/state/isolated.ts'
import { listOf } from '../../model/state/language.ts'
import { texts } from '../../texts/texts.ts'
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
        ? texts.conversation.typing(isolated(names[0]!))
        : names.length < 4
          ? texts.conversation.typingTogether(listOf(names.map(isolated)))
          : texts.conversation.manyTyping
  return (
    <p class="typing" aria-live="off">
      {text}
    </p>
  )
}
