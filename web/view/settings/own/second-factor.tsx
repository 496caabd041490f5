import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { openCopyDialog } from '../../parts/copy-dialog.tsx'
import { Problem } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { useAnswer } from '../use-answer.ts'
import { Confirmation, ownPasswordIn, passwordIn } from './confirmation.tsx'
import { LinkedAccounts } from './linked-accounts.tsx'
import { Passkeys } from './passkeys.tsx'
import { QrCode } from './qr-code.tsx'

const showCodes = (codes: readonly string[]) =>
  openCopyDialog(pageTexts.secondFactor.codesTitle, pageTexts.secondFactor.codesText, [
    { label: pageTexts.secondFactor.codes, value: codes.join('\n') },
  ])

/** The authenticator app and the recovery codes of the account. */
export function SecondFactor() {
  const { client } = useSession()
  const { answer, problem, load } = useAnswer(() => client.getSecondFactor())
  /** The secret of an app that is being set up. */
  const fresh = useSignal<{ secret: string; uri: string } | undefined>(undefined)
  const begin = async (data: FormData) => {
    fresh.value = await client.beginTotp({ password: passwordIn(data) })
  }
  const confirm = async (data: FormData) => {
    const { recovery_codes } = await client.confirmOwnTotp({ code: textIn(data, 'code') })
    fresh.value = undefined
    await load()
    showCodes(recovery_codes)
  }
  const both = (data: FormData) => ({ password: ownPasswordIn(data), code: textIn(data, 'code') })
  const remove = async (data: FormData) => {
    await client.removeOwnTotp(both(data))
    await load()
  }
  const replace = async (data: FormData) => {
    const { recovery_codes } = await client.replaceRecoveryCodes(both(data))
    await load()
    showCodes(recovery_codes)
  }
  const changed = async (recovery_codes: readonly string[]) => {
    await load()
    if (recovery_codes.length > 0) showCodes(recovery_codes)
  }
  const { totp, has_password = true, passkeys = 0, recovery_codes_left = 0 } = answer.value ?? {}
  const proof = { hasPassword: has_password, hasApp: totp === true, hasPasskey: passkeys > 0 }
  // A code has a field of its own in these forms.
  const own = { ...proof, hasApp: false }
  return (
    <>
      <h3>{pageTexts.secondFactor.title}</h3>
      <p class="quiet">{totp ? pageTexts.secondFactor.on(recovery_codes_left) : pageTexts.secondFactor.off}</p>
      {!totp && passkeys > 0 && <p class="quiet">{pageTexts.passkeys.codesLeft(recovery_codes_left)}</p>}
      <Problem of={problem} />
      {totp === false && !fresh.value && (
        <ActionForm action={pageTexts.secondFactor.begin} run={begin}>
          <Confirmation proof={own} />
        </ActionForm>
      )}
      {fresh.value && (
        <ActionForm action={pageTexts.secondFactor.confirm} run={confirm} onCancel={() => (fresh.value = undefined)}>
          <p>{pageTexts.secondFactor.scan}</p>
          <QrCode text={fresh.value.uri} label={pageTexts.secondFactor.qrCode} />
          <p>
            <code>{fresh.value.secret}</code>
          </p>
          <Code />
        </ActionForm>
      )}
      {totp && (
        <>
          <ActionForm action={pageTexts.secondFactor.replace} run={replace}>
            <Confirmation proof={own} />
            <Code />
          </ActionForm>
          <ActionForm action={pageTexts.secondFactor.remove} run={remove}>
            <Confirmation proof={own} />
            <Code />
          </ActionForm>
        </>
      )}
      {totp !== undefined && <Passkeys proof={proof} onChange={changed} />}
      {totp !== undefined && <LinkedAccounts proof={proof} />}
    </>
  )
}

const Code = () => (
  <label>
    {pageTexts.secondFactor.code}
    <input name="code" autocomplete="one-time-code" required />
  </label>
)
