import { useSignal } from '@preact/signals'
import { createPasskey, hasPasskeys } from '../../../model/state/passkeys.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { attempt, Problem } from '../../parts/notices.tsx'
import { longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'
import { useAnswer } from '../use-answer.ts'
import { Confirmation, type Proof, passwordIn } from './confirmation.tsx'

interface PasskeysProps {
  proof: Proof
  /** Called after a passkey was added or removed, with new recovery codes. */
  onChange(recovery_codes: readonly string[]): Promise<void>
}

const actions = {
  rename: { label: pageTexts.passkeys.rename, named: pageTexts.passkeys.renameName },
  remove: { label: pageTexts.common.remove, named: pageTexts.passkeys.removeName },
} as const

/** The passkeys of the account. Nothing is shown where the server or the browser has none. */
export function Passkeys({ proof, onChange }: PasskeysProps) {
  const { client } = useSession()
  const { answer, problem, load } = useAnswer(() => client.listPasskeys())
  /** The passkey that is renamed or removed. */
  const open = useSignal<{ id: number; kind: 'rename' | 'remove' } | undefined>(undefined)
  const { available = false, passkeys = [] } = answer.value ?? {}
  const add = async (data: FormData) => {
    const { options } = await client.beginPasskey({ password: passwordIn(data) })
    const response = await createPasskey(options).catch((error: Error) => {
      throw new Error(error.name === 'InvalidStateError' ? pageTexts.passkeys.addedBefore : pageTexts.passkeys.canceled)
    })
    const { recovery_codes } = await client.addPasskey({ response, name: textIn(data, 'name') })
    await load()
    await onChange(recovery_codes)
  }
  const change = (passkey_id: number, kind: 'rename' | 'remove') => async (data: FormData) => {
    if (kind === 'rename') await client.renamePasskey({ passkey_id, name: textIn(data, 'name') })
    else await client.removePasskey({ passkey_id, password: passwordIn(data) })
    open.value = undefined
    await load()
    if (kind === 'remove') await onChange([])
  }
  if (answer.value && !available && passkeys.length === 0) return null
  return (
    <>
      <h3>{pageTexts.passkeys.title}</h3>
      <p class="quiet">{pageTexts.passkeys.about}</p>
      <Problem of={problem} />
      <ul class="sessions">
        {passkeys.map(({ id, name, created_at, last_used_at }) => (
          <li key={id}>
            <span class="name">{name}</span>
            <span class="quiet small">
              {last_used_at === null
                ? pageTexts.sessions.unused(longAgo(created_at))
                : pageTexts.sessions.used(longAgo(created_at), longAgo(last_used_at))}
            </span>
            {(['rename', 'remove'] as const).map((kind) => (
              <button
                key={kind}
                type="button"
                aria-label={actions[kind].named(name)}
                onClick={() => attempt(async () => (open.value = { id, kind }))}
              >
                {actions[kind].label}
              </button>
            ))}
          </li>
        ))}
      </ul>
      {open.value && (
        <ActionForm
          key={`${open.value.kind} ${open.value.id}`}
          action={actions[open.value.kind].label}
          run={change(open.value.id, open.value.kind)}
          onCancel={() => (open.value = undefined)}
        >
          {open.value.kind === 'rename' ? (
            <FormField name="name" label={pageTexts.passkeys.name} required maxLength={60} />
          ) : (
            <Confirmation proof={proof} />
          )}
        </ActionForm>
      )}
      {available && hasPasskeys() && (
        <ActionForm action={pageTexts.passkeys.add} run={add}>
          <FormField name="name" label={pageTexts.passkeys.name} required maxLength={60} />
          <Confirmation proof={proof} />
        </ActionForm>
      )}
    </>
  )
}
