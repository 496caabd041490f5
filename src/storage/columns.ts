export * from './flags.ts'
export * from './fold.ts'
