/** Colours and measures; every pair of text and ground has a contrast of 4.5 or more. */
export const themes = `
html {
  --ground: #f5f6f8; --surface: #ffffff; --raised: #ffffff; --sunken: #eef0f4; --line: #dde1e7; --edge: #8a94a3;
  --text: #1c2430; --muted: #566172; --accent: #2b57cf; --on-accent: #ffffff; --tint: #e9effd; --on-tint: #1f45ab;
  --danger: #b3231b; --danger-tint: #fdecea; --good: #146c43; --good-tint: #e3f4ea; --busy: #1f4fa8; --busy-tint: #e4edfc;
  --star: #b26a00; --shade: rgb(20 28 40 / 0.46); --toast: #222c3a; --on-toast: #ffffff; --side: #ffffff;
  --shadow: 0 1px 2px rgb(20 28 40 / 0.06); --lift: 0 2px 6px rgb(20 28 40 / 0.1), 0 12px 32px rgb(20 28 40 / 0.16);
  --hue-0: #2b57cf; --hue-1: #0f766e; --hue-2: #a0460e; --hue-3: #8a2be2; --hue-4: #a81c5c; --hue-5: #3f6212;
  --title-font: inherit; --radius: 10px; --round: 7px; --stroke: 1px; color-scheme: light;
}
html[data-theme='dark'] {
  --ground: #10141a; --surface: #181e27; --raised: #202835; --sunken: #131921; --line: #2c3643; --edge: #7d8a9b;
  --text: #e7ebf1; --muted: #a6b1c0; --accent: #86abff; --on-accent: #0b1833; --tint: #202f50; --on-tint: #b9ceff;
  --danger: #ff9d94; --danger-tint: #43201f; --good: #7fd8a4; --good-tint: #173527; --busy: #9dbdff; --busy-tint: #1e2c47;
  --star: #f2b84b; --shade: rgb(0 0 0 / 0.62); --toast: #e7ebf1; --on-toast: #161c25; --side: #141a22;
  --shadow: none; --lift: 0 2px 6px rgb(0 0 0 / 0.4), 0 16px 40px rgb(0 0 0 / 0.5);
  --hue-0: #3d66d6; --hue-1: #15756c; --hue-2: #a4531f; --hue-3: #7e47c7; --hue-4: #ab3468; --hue-5: #55752a;
  color-scheme: dark;
}
html[data-theme='contrast'] {
  --ground: #ffffff; --surface: #ffffff; --raised: #ffffff; --sunken: #ffffff; --line: #000000; --edge: #000000;
  --text: #000000; --muted: #1f1f1f; --accent: #00238c; --on-accent: #ffffff; --tint: #fff3a8; --on-tint: #000000;
  --danger: #8f0000; --danger-tint: #ffffff; --good: #00451f; --good-tint: #ffffff; --busy: #00238c; --busy-tint: #ffffff;
  --star: #7a4300; --shade: rgb(0 0 0 / 0.7); --toast: #000000; --on-toast: #ffffff; --side: #ffffff;
  --shadow: none; --lift: none; --radius: 3px; --round: 3px; --stroke: 2px;
  --hue-0: #00238c; --hue-1: #004d47; --hue-2: #6e2b00; --hue-3: #4a0a8a; --hue-4: #700c3a; --hue-5: #25410a;
}
html[data-theme='warm'] {
  --ground: #f8f1e5; --surface: #fffdf8; --raised: #fffdf8; --sunken: #f2e8d8; --line: #e3d5bf; --edge: #97836a;
  --text: #33261a; --muted: #69563f; --accent: #9c3f14; --on-accent: #ffffff; --tint: #fae5d3; --on-tint: #823109;
  --danger: #a01831; --danger-tint: #fbe6e6; --good: #3d5f17; --good-tint: #ebf0d9; --busy: #7a4c00; --busy-tint: #fbeccb;
  --star: #a85f00; --shade: rgb(60 40 20 / 0.5); --toast: #3b2c1f; --on-toast: #fff8ec; --side: #f2e8d8;
  --shadow: 0 1px 2px rgb(80 50 20 / 0.08); --lift: 0 2px 6px rgb(80 50 20 / 0.12), 0 12px 32px rgb(80 50 20 / 0.2);
  --hue-0: #9c3f14; --hue-1: #3d5f17; --hue-2: #7a4c00; --hue-3: #7d3c63; --hue-4: #a01831; --hue-5: #2f5d62;
  --title-font: 'Georgia', 'Liberation Serif', 'DejaVu Serif', serif; --radius: 14px; --round: 10px;
}
html {
  --size: 14px; --control: 36px; --gap: 12px; --row: 6px; --pad: 20px; --page: 28px; --aside: 244px; --target: 36px;
}
html[data-density='compact'] {
  --size: 13px; --control: 28px; --gap: 8px; --row: 2px; --pad: 12px; --page: 16px; --aside: 204px; --target: 28px;
}
@media (max-width: 720px) {
  html { --size: 15px; --control: 44px; --row: 10px; --pad: 16px; --page: 16px; --target: 44px; }
  html[data-density='compact'] { --size: 14px; --control: 40px; --row: 5px; --pad: 12px; --page: 10px; --target: 40px; }
}
`;
