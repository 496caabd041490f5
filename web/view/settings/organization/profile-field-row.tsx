import { useSignal } from '@preact/signals'
import type { ClientState } from '../../../../src/client/index.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { CheckField } from '../../parts/field.tsx'
import { useSession } from '../../session-context.ts'
import { ChangeButton } from '../change-button.tsx'
import { TextField } from '../text-field.tsx'
import { kindName } from './field-kinds.ts'

interface ProfileFieldProps {
  field: ClientState['custom_profile_fields'][number]
  isFirst: boolean
  isLast: boolean
  move(by: number): void
}

type Options = Record<string, { text: string; order: string }>
const SELECT = 3

/** A custom profile field, with its position and its properties. */
export function ProfileFieldRow({ field, isFirst, isLast, move }: ProfileFieldProps) {
  const { client, state } = useSession()
  const isOpen = useSignal(false)
  const { id: field_id, name, hint, type, field_data } = field
  const kind = Object.values(state.custom_profile_field_types).find(({ id }) => id === type)
  const remove = () =>
    confirm({
      title: pageTexts.profileFields.removeTitle(isolated(name)),
      text: pageTexts.profileFields.removeText,
      action: pageTexts.common.remove,
      run: () => client.removeProfileField({ field_id }),
    })
  const options = type === SELECT ? (JSON.parse(field_data) as Options) : {}
  return (
    <li class="bot">
      <span class="name">
        {name}
        <span class="quiet small">{[kind && kindName(kind), hint].filter(Boolean).join(': ')}</span>
      </span>
      <button type="button" disabled={isFirst} aria-label={pageTexts.common.moveUp(name)} onClick={() => move(-1)}>
        ↑
      </button>
      <button type="button" disabled={isLast} aria-label={pageTexts.common.moveDown(name)} onClick={() => move(1)}>
        ↓
      </button>
      <ChangeButton name={name} isOpen={isOpen} />
      <button type="button" aria-label={texts.common.removeName(name)} onClick={remove}>
        {pageTexts.common.remove}
      </button>
      {isOpen.value && (
        <div class="bot-settings">
          <TextField
            label={pageTexts.common.name}
            about={pageTexts.profileFields.nameHelp}
            value={name}
            maxLength={40}
            save={(text) => client.updateProfileField({ field_id, name: text })}
          />
          <TextField
            label={pageTexts.profileFields.hint}
            about={pageTexts.profileFields.hintHelp}
            value={hint}
            maxLength={80}
            save={(text) => client.updateProfileField({ field_id, hint: text })}
          />
          {type === SELECT && (
            <TextField
              label={pageTexts.profileFields.options}
              about={pageTexts.profileFields.optionsHelp}
              value={inOrder(options).join('\n')}
              multiline
              save={(text) => client.updateProfileField({ field_id, field_data: renamed(options, text) })}
            />
          )}
          <CheckField
            label={pageTexts.profileFields.inSummary}
            about={pageTexts.profileFields.inSummaryHelp}
            value={field.display_in_profile_summary === true}
            save={(display_in_profile_summary) => client.updateProfileField({ field_id, display_in_profile_summary })}
          />
          <CheckField
            label={pageTexts.profileFields.required}
            about={pageTexts.profileFields.requiredHelp}
            value={field.required}
            save={(required) => client.updateProfileField({ field_id, required })}
          />
          <CheckField
            label={pageTexts.profileFields.editable}
            about={pageTexts.profileFields.editableHelp}
            value={field.editable_by_user}
            save={(editable_by_user) => client.updateProfileField({ field_id, editable_by_user })}
          />
        </div>
      )}
    </li>
  )
}

const inOrder = (options: Options): string[] =>
  Object.values(options)
    .sort((a, b) => Number(a.order) - Number(b.order))
    .map(({ text }) => text)

/** The options of a list. An option with an unchanged label keeps its key, and therefore its users. */
function renamed(options: Options, lines: string): Options {
  const choices = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const keyOf = new Map(Object.entries(options).map(([key, { text }]) => [text, key]))
  const last = Math.max(-1, ...Object.keys(options).map(Number).filter(Number.isFinite))
  return Object.fromEntries(
    choices.map((text, order) => {
      const key = keyOf.get(text) ?? String(last + 1 + order)
      return [key, { text, order: String(order + 1) }]
    }),
  )
}
