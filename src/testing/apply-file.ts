import type { Reducers } from './client-state.ts'

export const fileReducers = {
  attachment(state, event) {
    const { id } = event.attachment
    const rest = state.attachments.filter((one) => one.id !== id)
    state.attachments = event.op === 'remove' ? rest : [...rest, event.attachment]
  },
} satisfies Partial<Reducers>
