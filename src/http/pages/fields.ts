import { MAX_EMAIL_LENGTH, MAX_FULL_NAME_LENGTH } from '../../core/kernel/base/limits.ts'
import type { FormTexts } from '../page-texts/en.ts'

/** The address of a new account. */
export const emailField = ({ common }: FormTexts, value: string) =>
  ({
    name: 'email',
    label: common.email,
    type: 'email',
    autocomplete: 'email',
    maxlength: MAX_EMAIL_LENGTH,
    value,
  }) as const

/** The name of a new account. */
export const nameField = ({ common }: FormTexts, value: string) =>
  ({
    name: 'full_name',
    label: common.yourName,
    type: 'text',
    autocomplete: 'name',
    maxlength: MAX_FULL_NAME_LENGTH,
    value,
  }) as const
