import { useSignal } from '@preact/signals'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import type { Change, ImportPerson } from './types.ts'

/** A person of the export, and what becomes of them: the suggestion, or what the owner chooses. */
export function PersonRow({ person, change }: { person: ImportPerson; change: Change }) {
  const { nth, name, email, how } = person
  const account = useSignal(person.account)
  const isNaming = useSignal(false)
  const address = account.value?.includes('@') ? account.value : ''
  const choice = isNaming.value || address !== '' ? 'account' : (account.value ?? '')
  const save = (value: string | null) => {
    account.value = value
    void change({ people: [{ nth, account: value }] })
  }
  const choose = (value: string) => {
    isNaming.value = value === 'account'
    if (value !== 'account') save(value === '' ? null : value)
    else if (email !== null) save(email)
  }
  return (
    <li>
      <span class="name">
        {isolated(name)}
        {email !== null && <span class="quiet small">{email}</span>}
      </span>
      <select
        aria-label={pageTexts.imports.accountOf(isolated(name))}
        value={choice}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{person.account === null ? pageTexts.imports.how[how] : pageTexts.imports.suggestion}</option>
        <option value="account">{pageTexts.imports.byAddress}</option>
        <option value="stub">{pageTexts.imports.how.stub}</option>
        <option value="skip">{pageTexts.imports.how.skipped}</option>
      </select>
      {choice === 'account' && (
        <input
          type="email"
          list="import-accounts"
          aria-label={pageTexts.imports.addressOf(isolated(name))}
          placeholder={pageTexts.mail.testTo}
          defaultValue={address}
          onChange={(event) => {
            const { value, validity } = event.currentTarget
            if (validity.valid && value !== '') save(value)
          }}
        />
      )}
    </li>
  )
}
