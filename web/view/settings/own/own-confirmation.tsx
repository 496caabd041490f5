import type { Session } from '../../../model/state/session.ts'
import { texts } from '../../../texts/texts.ts'
import { closeDialog, openDialog, useDialogWork } from '../../parts/dialog.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { useAnswer } from '../use-answer.ts'
import { Confirmation, type Proof, passwordIn } from './confirmation.tsx'

type Client = Session['client']

const ownProof = async (client: Client): Promise<Proof> => {
  const { has_password, totp, passkeys } = await client.getSecondFactor()
  return { hasPassword: has_password, hasApp: totp, hasPasskey: passkeys > 0 }
}

/** Fields in which readers confirm that it's them: a password, a passkey or a code, whichever the account has. */
export function OwnConfirmation() {
  const { answer, problem } = useAnswer(ownProof)
  return answer.value ? <Confirmation proof={answer.value} /> : <Problem of={problem} />
}

interface Question {
  title: string
  /** What will happen. */
  text: string
  action: string
  /** Does it with the password or code that the reader entered. */
  run(password: string): Promise<unknown>
}

/** Asks before something that outlasts the session, and for a proof that the reader is there. */
export const confirmWithProof = (client: Client, question: Question) =>
  attempt(async () => openDialog(question.title, <ProvenForm proof={await ownProof(client)} question={question} />))

function ProvenForm({ proof, question: { text, action, run } }: { proof: Proof; question: Question }) {
  const { problem, run: work } = useDialogWork()
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const password = passwordIn(new FormData(event.currentTarget as HTMLFormElement))
    void work(() => run(password))
  }
  return (
    <form onSubmit={onSubmit}>
      <p>{text}</p>
      <Confirmation proof={proof} />
      <Problem of={problem} />
      <footer>
        <button type="button" onClick={closeDialog}>
          {texts.common.cancel}
        </button>
        <button type="submit" class="primary dangerous">
          {action}
        </button>
      </footer>
    </form>
  )
}
