import { useId } from 'preact/hooks'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { type FieldProps, SaveState } from '../parts/field.tsx'
import { useShown } from '../parts/use-saving.ts'

/** Colors that are easy to tell apart, beside every other one that the browser offers. */
const swatches = [
  '#c2398d',
  '#d6453c',
  '#c2590c',
  '#b98a00',
  '#6b8e23',
  '#1e8a4c',
  '#0f8f8a',
  '#2f7fc1',
  '#3a56b0',
  '#7d48c7',
  '#8a6a52',
  '#6b7280',
]

interface ColorProps extends FieldProps<string> {
  /** #rrggbb, or empty if there may be none. */
  value: string
  mayBeNone?: boolean
}

/** A color: one of the swatches, or any other. */
export function ColorField({ label, about, value, mayBeNone = false, save }: ColorProps) {
  const { shown, problem, saved, run } = useShown(value, save)
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {about && <p class="quiet small">{about}</p>}
      <div class="color-field">
        <div role="radiogroup" class="swatches" aria-label={texts.common.suggestions}>
          {swatches.map((color, i) => (
            <input
              key={color}
              type="radio"
              name={id}
              aria-label={`${label} ${i + 1}`}
              checked={shown.value.toLowerCase() === color}
              style={{ backgroundColor: color }}
              onChange={() => run(color)}
            />
          ))}
        </div>
        <input
          id={id}
          type="color"
          value={shown.value || '#3a56b0'}
          onChange={(event) => run(event.currentTarget.value)}
        />
        {mayBeNone && shown.value !== '' && (
          <button type="button" onClick={() => run('')}>
            {pageTexts.common.remove}
          </button>
        )}
      </div>
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}
