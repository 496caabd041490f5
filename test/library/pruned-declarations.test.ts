import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { pruneDeclarations } from '../../scripts/prune-declarations.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

test('declarations keep what an entry point reaches, with its description', () => {
  using folder = new TemporaryFolder()
  const files = {
    'index.d.ts': "export { open } from './open.ts';\nexport type * from './shapes.ts';\n",
    'open.d.ts': `import { type Options, type Unused } from './options.ts';
import * as shapes from './shapes.ts';
/** Opens it; see {@link close}. */
export declare function open(options: Options): Promise<import("./answer.ts").Answer>;
/** Closes it. */
export declare function close(options: Unused): shapes.Shape;
interface Private {
    close: string;
}
`,
    'options.d.ts': `import type { Level } from './level.ts';
export interface Options {
    /** How much; at most "}". */
    level?: Level;
    nested: {
        a: string;
    };
}
export interface Unused {
    level: string;
}
export {};
`,
    'level.d.ts': "export type Level = 'low' | 'Other';\nexport declare const Other: { a: 1; };\n",
    'answer.d.ts': 'export type Answer = Part[];\ninterface Part {\n    text: "}";\n}\nexport {};\n',
    'shapes.d.ts': 'export type Shape = string;\n',
    'alone.d.ts': 'export declare const alone: 1;\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text)
  pruneDeclarations(folder.path, ['index.d.ts'])
  const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')
  assert.deepEqual(readdirSync(folder.path).sort(), [
    ...['answer.d.ts', 'index.d.ts', 'level.d.ts', 'open.d.ts', 'options.d.ts', 'shapes.d.ts'],
  ])
  assert.equal(
    read('open.d.ts'),
    `import { type Options } from './options.ts';
/** Opens it; see {@link close}. */
export declare function open(options: Options): Promise<import("./answer.ts").Answer>;
`,
  )
  assert.equal(read('options.d.ts'), files['options.d.ts'].replace(/export interface Unused \{[^}]*\}\n/, ''))
  assert.equal(read('level.d.ts'), "export type Level = 'low' | 'Other';\n")
  assert.equal(read('answer.d.ts'), files['answer.d.ts'])
  assert.equal(read('index.d.ts'), files['index.d.ts'])
})
