import type { Session } from '../../../model/state/session.ts'

type Client = Session['client']

export type Imports = Awaited<ReturnType<Client['listImports']>>
export type Job = NonNullable<Imports['job']>
export type Report = NonNullable<Job['report']>
export type ImportPerson = Awaited<ReturnType<Client['listImportPeople']>>['people'][number]
export type Change = (values: Parameters<Client['updateImportJob']>[0]) => Promise<void>

export interface StepProps {
  job: Job
  /** Reads the job again. */
  load(): Promise<void>
}
