import { useSignal } from '@preact/signals'
import { answerWithPasskey, hasPasskeys } from '../../../model/state/passkeys.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Problem, reasonOf } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { textIn } from '../action-form.tsx'
import { SignInAgain } from './sign-in-again.tsx'

export interface Proof {
  /** Whether the account has a password. */
  hasPassword: boolean
  /** Whether the code of an authenticator app follows the password. */
  hasApp: boolean
  hasPasskey: boolean
}

/** Whether the account has something to prove that the reader is there. */
export const hasProof = ({ hasPassword, hasApp, hasPasskey }: Proof): boolean => hasPassword || hasApp || hasPasskey

/** Fields that prove that the reader is there: the password with a code after it, a passkey, or another sign-in. */
export function Confirmation({ proof }: { proof: Proof }) {
  const { client } = useSession()
  const problem = useSignal('')
  const isConfirmed = useSignal(false)
  const { hasPassword, hasApp, hasPasskey } = proof
  const use = async () => {
    problem.value = ''
    try {
      const { options } = await client.beginConfirmation()
      const response = await answerWithPasskey(options).catch(() => {
        throw new Error(pageTexts.passkeys.notConfirmed)
      })
      await client.confirmWithPasskey({ response })
      isConfirmed.value = true
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  return (
    <>
      {hasPassword && (
        <label>
          {pageTexts.sessions.yourPassword}
          <input
            name="own_password"
            type="password"
            autocomplete="current-password"
            required={!(isConfirmed.value || hasPasskey)}
          />
        </label>
      )}
      {hasApp && (
        <label>
          {pageTexts.secondFactor.code}
          <input name="code" autocomplete="one-time-code" />
        </label>
      )}
      {hasPasskey && hasPasskeys() && (
        <p class="buttons">
          <button type="button" onClick={() => void use()}>
            {pageTexts.passkeys.confirm}
          </button>
          <span role="status" class="quiet small">
            {isConfirmed.value ? pageTexts.passkeys.confirmed : ''}
          </span>
        </p>
      )}
      {!hasProof(proof) && <SignInAgain />}
      <Problem of={problem} />
    </>
  )
}

/** Returns the password alone. The field has a name of its own, because forms may have another password, too. */
export const ownPasswordIn = (data: FormData): string => String(data.get('own_password') ?? '')

/** Returns the password, with the code after it; empty if a passkey confirmed. */
export const passwordIn = (data: FormData): string => `${ownPasswordIn(data)}${textIn(data, 'code')}`
