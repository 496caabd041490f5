import { useSignal } from '@preact/signals'
import type { Person } from '../../../model/reading/people.ts'
import { compareNames } from '../../../model/state/compare-names.ts'
import { best, folded } from '../../../model/writing/matching.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Filter } from '../../parts/filter.tsx'
import { WindowedList } from '../../parts/windowed-list.tsx'
import { useSession } from '../../session-context.ts'
import { NewUser } from './new-user.tsx'
import { UserRow } from './user-row.tsx'

/** How high a row is, about. */
const ROW_PX = 53

/** All accounts, with roles and status. */
export function Users() {
  const { realm_users, realm_non_active_users } = useSession().read('users')
  const query = useSignal('')
  const words = folded(query.value.trim())
  const matching = (people: readonly Person[]) =>
    words === ''
      ? [...people].sort((a, b) => compareNames(a.full_name, b.full_name))
      : best(people, words, ({ full_name }) => full_name, people.length)
  /** None while they are still on their way. */
  const everybody = realm_users.length + realm_non_active_users.length
  const active = matching(realm_users)
  const closed = matching(realm_non_active_users)
  return (
    <>
      <Disclosure label={pageTexts.users.add}>{(close) => <NewUser onDone={close} />}</Disclosure>
      <Filter label={pageTexts.users.find} total={everybody} query={query} />
      <Accounts people={active} />
      {closed.length > 0 && (
        <>
          <h3>{pageTexts.common.deactivated}</h3>
          <Accounts people={closed} />
        </>
      )}
      {everybody > 0 && active.length + closed.length === 0 && <p class="quiet">{pageTexts.users.noMatch}</p>}
    </>
  )
}

const Accounts = ({ people }: { people: readonly Person[] }) => (
  <WindowedList
    class="settings-list"
    items={people}
    keyOf={({ user_id }) => String(user_id)}
    guess={() => ROW_PX}
    rowClass={() => 'bot'}
  >
    {(person) => <UserRow person={person} />}
  </WindowedList>
)
