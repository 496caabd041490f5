import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { attempt, Problem } from '../../parts/notices.tsx'
import { longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm } from '../action-form.tsx'
import { useAnswer } from '../use-answer.ts'
import { Confirmation, type Proof, passwordIn } from './confirmation.tsx'

/** The accounts at identity providers that sign in to this one. Nothing is shown without any. */
export function LinkedAccounts({ proof }: { proof: Proof }) {
  const { client } = useSession()
  const { answer, problem, load } = useAnswer(() => client.listLinkedAccounts())
  /** The account that is unlinked. */
  const open = useSignal<number | undefined>(undefined)
  const { linked_accounts = [] } = answer.value ?? {}
  const unlink = (linked_account_id: number) => async (data: FormData) => {
    const end_access = data.has('end_access')
    await client.unlinkAccount({ linked_account_id, password: passwordIn(data), end_access })
    open.value = undefined
    await load()
  }
  if (answer.value && linked_accounts.length === 0) return null
  return (
    <>
      <h3>{pageTexts.linkedAccounts.title}</h3>
      <p class="quiet">{pageTexts.linkedAccounts.about}</p>
      <Problem of={problem} />
      <ul class="sessions">
        {linked_accounts.map(({ id, display_name, email, created_at, last_used_at }) => (
          <li key={id}>
            <span class="name">{email === null ? display_name : `${display_name} · ${email}`}</span>
            <span class="quiet small">{pageTexts.sessions.used(longAgo(created_at), longAgo(last_used_at))}</span>
            <button
              type="button"
              aria-label={pageTexts.linkedAccounts.unlinkName(display_name)}
              onClick={() => attempt(async () => (open.value = id))}
            >
              {pageTexts.linkedAccounts.unlink}
            </button>
          </li>
        ))}
      </ul>
      {open.value !== undefined && (
        <ActionForm
          key={open.value}
          action={pageTexts.linkedAccounts.unlink}
          run={unlink(open.value)}
          onCancel={() => (open.value = undefined)}
        >
          <label class="choice">
            <input type="checkbox" name="end_access" /> {pageTexts.linkedAccounts.endAccess}
          </label>
          <p class="quiet small">{pageTexts.linkedAccounts.endAccessHelp}</p>
          <Confirmation proof={proof} />
        </ActionForm>
      )}
    </>
  )
}
