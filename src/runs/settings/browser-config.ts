import { z } from 'zod';

const side = z.int().min(100).max(4000);

export const themes = ['light', 'dark', 'contrast', 'warm'] as const;
export const densities = ['comfortable', 'compact'] as const;
const screenshotKinds = ['png', 'jpeg', 'none'] as const;

/** How screens are drawn and looked at. */
export const browserSchema = z.strictObject({
  screenshots: z.enum(screenshotKinds).default('png').describe('format of the screenshots'),
  marks: z.boolean().default(false).describe('draw the numbers of the elements on the screenshots'),
  viewport: z
    .strictObject({
      width: side.default(1280).describe('width of the page in pixels'),
      height: side.default(800).describe('height of the page in pixels'),
    })
    .default({ width: 1280, height: 800 }),
  theme: z.enum(themes).default('light').describe('how apps look'),
  density: z.enum(densities).default('comfortable').describe('how close things stand'),
  vary: z
    .int()
    .nonnegative()
    .nullable()
    .default(null)
    .describe('other labels, order, theme, density and viewport, chosen by this number'),
  path: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: 'the browser program; null looks in the usual places', isPath: true }),
});
export type BrowserConfig = z.infer<typeof browserSchema>;

/** Other people's pages are drawn in any case; pictures are taken when somebody asks for them. */
export const plainBrowser: BrowserConfig = browserSchema.parse({ screenshots: 'none' });
