import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { type PermissionHome, permissionChoices, permissionRules } from '../../model/reading/permission-choices.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { SaveState } from '../parts/field.tsx'
import { useShown } from '../parts/use-saving.ts'
import { useSession } from '../session-context.ts'
import { type MemberSet, MemberSetInput } from './member-set-input.tsx'
import type { Setting } from './setting.ts'

type Value = number | MemberSet

interface PermissionProps {
  setting: Setting
  value: Value
  of: PermissionHome
  save(change: { new: Value; old: Value }): Promise<unknown>
}

const CHOSEN = 'chosen'

const setOf = (value: Value): MemberSet =>
  typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value

/** The state lists the same users and groups in its own order. */
const keyOf = (value: Value): string => {
  const { direct_members, direct_subgroups } = setOf(value)
  return `${[...direct_members].sort()}/${[...direct_subgroups].sort()}`
}

/** The value of a permission: a group, or users and groups chosen individually. */
export function PermissionField({ setting: { name, label, about }, value, of, save }: PermissionProps) {
  const session = useSession()
  const id = useId()
  // Chosen but empty, so nothing is saved yet.
  const isChoosing = useSignal(false)
  const { shown, problem, saved, run } = useShown(value, (now, old) => save({ new: now, old }), keyOf)
  const rules = permissionRules(session, of, name)
  if (!rules) return null
  const choices = permissionChoices(session, rules)
  const present = shown.value
  const isGroup = typeof present === 'number'
  const mayChoose = !rules.require_system_group && rules.allowed_system_groups.length === 0
  const isListed = isGroup && choices.some(([group]) => group === present)
  const showsSet = !isListed || isChoosing.value
  const choose = (text: string) => {
    isChoosing.value = text === CHOSEN
    if (text !== CHOSEN) run(Number(text))
  }
  const set = setOf(present)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <p class="quiet small">{about}</p>
      <select
        id={id}
        value={showsSet ? CHOSEN : String(present)}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {choices.map(([group, text]) => (
          <option key={group} value={String(group)}>
            {text}
          </option>
        ))}
        {(mayChoose || showsSet) && <option value={CHOSEN}>{pageTexts.permissions.custom}</option>}
      </select>
      {showsSet && (
        <MemberSetInput
          label={label}
          value={set}
          onChange={(now) => {
            isChoosing.value = false
            run(now)
          }}
        />
      )}
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}
