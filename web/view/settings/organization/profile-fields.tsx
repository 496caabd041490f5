import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Problem } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { kindName } from './field-kinds.ts'
import { ProfileFieldRow } from './profile-field-row.tsx'
import { useOrder } from './use-order.ts'

const SELECT = 3
const ACCOUNT = 7
const OWN = 'custom'

/** The custom profile fields. */
export function ProfileFields() {
  const session = useSession()
  const { client } = session
  const state = session.read('organization')
  const { custom_profile_field_types: types } = state
  const {
    rows: fields,
    move,
    problem,
  } = useOrder(state.custom_profile_fields, (order) => client.reorderProfileFields({ order }))
  const type = useSignal(1)
  const account = useSignal(OWN)
  const isKnown = type.value === ACCOUNT && account.value !== OWN
  const create = (data: FormData) =>
    client.createProfileField({
      field_type: type.value,
      ...(!isKnown && { name: textIn(data, 'name'), hint: textIn(data, 'hint') }),
      ...(type.value === SELECT && { field_data: optionsOf(textIn(data, 'options')) }),
      ...(type.value === ACCOUNT && { field_data: { subtype: account.value, url_pattern: textIn(data, 'pattern') } }),
    })
  return (
    <>
      <p class="quiet">{pageTexts.profileFields.intro}</p>
      <ActionForm action={pageTexts.profileFields.add} run={create}>
        <label>
          {pageTexts.common.kind}
          <select value={String(type.value)} onChange={(event) => (type.value = Number(event.currentTarget.value))}>
            {Object.values(types).map((kind) => (
              <option key={kind.id} value={String(kind.id)}>
                {kindName(kind)}
              </option>
            ))}
          </select>
        </label>
        {type.value === ACCOUNT && (
          <label>
            {pageTexts.profileFields.service}
            <select value={account.value} onChange={(event) => (account.value = event.currentTarget.value)}>
              {Object.entries(state.realm_default_external_accounts).map(([key, { text }]) => (
                <option key={key} value={key}>
                  {text}
                </option>
              ))}
              <option value={OWN}>{pageTexts.profileFields.otherService}</option>
            </select>
          </label>
        )}
        {!isKnown && (
          <>
            <label>
              {pageTexts.common.name}
              <input name="name" required maxLength={40} autocomplete="off" />
            </label>
            <label>
              {pageTexts.profileFields.hint}
              <input name="hint" maxLength={80} autocomplete="off" />
            </label>
          </>
        )}
        {type.value === SELECT && (
          <label>
            {pageTexts.profileFields.optionsOnePerLine}
            <textarea name="options" rows={4} required />
          </label>
        )}
        {type.value === ACCOUNT && !isKnown && (
          <label>
            {pageTexts.profileFields.pattern}
            <input name="pattern" required placeholder={pageTexts.profileFields.patternExample} autocomplete="off" />
          </label>
        )}
      </ActionForm>
      <ol class="settings-list">
        {fields.map((field, at) => (
          <ProfileFieldRow
            key={field.id}
            field={field}
            isFirst={at === 0}
            isLast={at === fields.length - 1}
            move={(by) => move(field.id, by)}
          />
        ))}
      </ol>
      <Problem of={problem} />
      {fields.length === 0 && <p class="quiet">{pageTexts.profileFields.empty}</p>}
    </>
  )
}

/** The options of a list in the server's format: with keys, so that they can be renamed. */
const optionsOf = (lines: string) =>
  Object.fromEntries(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((text, order) => [String(order), { text, order: String(order + 1) }]),
  )
