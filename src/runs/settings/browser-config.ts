import { z } from 'zod';

const side = z.int().min(100).max(4000);

export const themes = ['light', 'dark', 'contrast', 'warm'] as const;
export const densities = ['comfortable', 'compact'] as const;
export const screenshotKinds = ['png', 'jpeg', 'none'] as const;

/** How screens are drawn and looked at. */
export const browserSchema = z.strictObject({
  screenshots: z.enum(screenshotKinds).default('png'),
  /** Draws the numbers of the elements on screenshots. */
  marks: z.boolean().default(false),
  viewport: z.strictObject({ width: side, height: side }).default({ width: 1280, height: 800 }),
  theme: z.enum(themes).default('light'),
  density: z.enum(densities).default('comfortable'),
  /** Draws other labels and another order of what has none; null for those of the app. */
  vary: z.int().nonnegative().nullable().default(null),
  /** The browser program; looked for in the usual places when null. */
  path: z.string().nullable().default(null),
});
export type BrowserConfig = z.infer<typeof browserSchema>;

/** Other people's pages are drawn in any case; pictures are taken when somebody asks for them. */
export const plainBrowser: BrowserConfig = browserSchema.parse({ screenshots: 'none' });
