export { first } from './first.ts'
export const rest = () => Promise.all([import('./pages.ts'), import('./pieces.ts')])
