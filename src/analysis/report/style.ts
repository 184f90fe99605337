/** The colour-blind safe palette of Okabe and Ito; lighter on a dark page. */
const colours = `
:root{color-scheme:light dark;--page:#fdfdfb;--card:#fff;--ink:#1d2329;--soft:#5a646e;--faint:#d9dde0;--hair:#eceeef;
--good:#00754f;--bad:#b3400a;--wait:#5a646e;--correct:#0b66a8;--heat:#0b5c94;
--c0:#0b66a8;--c1:#b3400a;--c2:#00754f;--c3:#a5487f;--c4:#7a6400;--c5:#3b7f9e;--c6:#6b4fa0;--c7:#4a4f55}
@media (prefers-color-scheme:dark){:root{--page:#14181c;--card:#1a2026;--ink:#e6e9ec;--soft:#9ba6b0;--faint:#3a444d;--hair:#262d34;
--good:#35c490;--bad:#f08a4b;--wait:#9ba6b0;--correct:#5db3ef;--heat:#4da3dc;
--c0:#5db3ef;--c1:#f08a4b;--c2:#35c490;--c3:#dd8fbf;--c4:#d9c04a;--c5:#8fd0e6;--c6:#b6a1e6;--c7:#c3c8ce}}
.arm-0{--own:var(--c0)}
.arm-1{--own:var(--c1)}
.arm-2{--own:var(--c2)}
.arm-3{--own:var(--c3)}
.arm-4{--own:var(--c4)}
.arm-5{--own:var(--c5)}
.arm-6{--own:var(--c6)}
.arm-7{--own:var(--c7)}
`;

const page = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
main,header,footer{max-width:1080px;margin:0 auto;padding:0 24px}
header{padding-top:56px}
h1,h2,h3,.verdict{font-family:Charter,"Bitstream Charter","Iowan Old Style","Source Serif 4",Cambria,Georgia,"Liberation Serif",serif;font-weight:600;line-height:1.25;text-wrap:balance}
h1{font-size:17px;font-weight:600;color:var(--soft);margin:0 0 10px;letter-spacing:.01em}
.verdict{font-size:clamp(21px,3.1vw,31px);margin:0 0 32px;max-width:34em;font-weight:500;line-height:1.35;text-wrap:pretty}
h2{font-size:24px;margin:0 0 6px}
h3{font-size:17px;margin:0 0 4px;overflow-wrap:anywhere}
section{padding:32px 0 8px;border-top:1px solid var(--hair);margin-top:20px}
header+main section:first-child{margin-top:32px}
.finding{color:var(--soft);max-width:46em;margin:0 0 20px;text-wrap:pretty}
.absent{color:var(--soft);margin-top:0}
#missing dl{display:grid;grid-template-columns:max-content 1fr;gap:8px 28px;margin:12px 0;color:var(--soft)}
#missing dt{font-weight:600}
#missing dd{margin:0}
.prose{max-width:46em}
.prose p{margin:0 0 12px}
code{font:13px/1.4 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
footer{color:var(--soft);font-size:13px;padding-top:28px;padding-bottom:48px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.keys{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:20px 32px;margin:0;padding:22px 0 0;border-top:2px solid var(--ink)}
.keys div{display:flex;flex-direction:column}
.keys dt{order:2;font-size:15px}
.keys dd{margin:0;order:1;font-size:36px;font-weight:600;line-height:1.2;letter-spacing:-.01em}
.keys .remark{order:3;font-size:13px;font-weight:400;color:var(--soft);letter-spacing:0;line-height:1.5}
.claims{list-style:none;margin:12px 0 0;padding:0;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:18px 40px}
.claims li{display:flex;gap:14px}
.claims p{margin:0}
.claims .mark{flex:none;width:26px;height:26px;border-radius:50%;display:grid;place-items:center;font-size:14px;font-weight:700;color:var(--page);background:var(--kind)}
.claims .open .mark{background:none;color:var(--kind);border:1.5px solid var(--kind)}
.claims b{color:var(--kind);font-size:13px;font-weight:600;white-space:nowrap}
.claims .evidence{color:var(--soft);font-size:14px}
.holds{--kind:var(--good)}
.fails{--kind:var(--bad)}
.open{--kind:var(--wait)}
`;

const figures = `
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:24px 32px;align-items:start}
figure{margin:0;min-width:0;max-width:640px}
figcaption,caption{font-weight:600;font-size:14px;text-align:left;margin-bottom:6px;padding:0}
caption{padding-bottom:8px}
caption span{display:block;max-width:calc(100vw - 32px)}
.panels.three{grid-template-columns:repeat(auto-fit,minmax(min(100%,310px),1fr));gap:24px}
header .finding{margin:14px 0 0;font-size:14px}
header .data{margin-bottom:0}
.chart svg{display:block;width:100%;height:auto;overflow:visible}
.chart text{font-size:13px;fill:var(--soft)}
.chart .grid{stroke:var(--hair);stroke-width:1}
.chart .tick{font-size:12px}
.chart .axis{font-size:12px}
.arm .band{fill:var(--own);opacity:.09}
.arm .line{fill:none;stroke:var(--own);stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.arm-0 .line{stroke-width:2.6}
.arm-0 .band{opacity:.16}
.arm .point{fill:var(--own);stroke:var(--page);stroke-width:1.4}
.arm .point .line{stroke-width:1.4}
.chart .arm .name{font-size:12.5px;fill:var(--own);font-weight:600;paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
.tie{fill:none;stroke:var(--own,var(--faint));stroke-width:1;opacity:.7}
.rule line{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 3;opacity:.75}
.chart .rule .name{font-size:12px;font-style:italic;paint-order:stroke;stroke:var(--page);stroke-width:4px}
.arm{transition:opacity .15s}
.chart svg:has(.arm-0:hover) .arm:not(.arm-0),.chart svg:has(.arm-1:hover) .arm:not(.arm-1),.chart svg:has(.arm-2:hover) .arm:not(.arm-2),.chart svg:has(.arm-3:hover) .arm:not(.arm-3),.chart svg:has(.arm-4:hover) .arm:not(.arm-4),.chart svg:has(.arm-5:hover) .arm:not(.arm-5),.chart svg:has(.arm-6:hover) .arm:not(.arm-6),.chart svg:has(.arm-7:hover) .arm:not(.arm-7){opacity:.16}
.chart .arm:hover .band{opacity:.24}
.scroll{overflow-x:auto;margin:0 0 20px;min-width:0}
table{border-collapse:collapse;font-size:14px;width:100%}
th,td{text-align:right;padding:6px 12px 6px 0;border-bottom:1px solid var(--hair);font-weight:400;vertical-align:middle}
th:first-child{text-align:left}
thead th{color:var(--soft);font-size:13px;border-bottom:1px solid var(--faint);vertical-align:bottom}
td:last-child,th:last-child{padding-right:0}
.data{margin:14px 0 8px}
.data summary{cursor:pointer;color:var(--soft);font-size:14px;width:max-content}
.data[open] summary{margin-bottom:10px}
.data td,.data th{white-space:nowrap}
#method td{text-align:left}
#causes th,#causes td{text-align:left;vertical-align:top}
#causes td:nth-child(4){min-width:340px}
#method th{text-align:left;white-space:nowrap;vertical-align:top;padding-right:24px}
#method .scroll{margin-top:20px}
.heat{width:auto}
.heat tbody td,.heat th[scope=col]:not(:first-child){text-align:center;min-width:58px;padding:6px 8px}
.heat thead th,.heat thead td{border:0}
.heat th[scope=colgroup]{text-align:center;padding-bottom:0}
.heat tbody td{border:2px solid var(--page);background:color-mix(in srgb,var(--heat) calc(var(--shade)*88% + 8%),var(--page))}
.heat tbody td.deep{color:var(--page)}
.heat tbody td.empty{background:var(--hair);color:var(--soft)}
.heat th[scope=row]{border:0;white-space:nowrap;padding-right:14px}
.strip{display:inline-flex;align-items:center;gap:8px;white-space:nowrap}
.strip svg{width:84px;height:12px;flex:none;overflow:visible}
.many .strip{gap:5px}
.many .strip svg{width:34px}
.many th[scope=row]{overflow-wrap:anywhere}
.strip b{font-weight:600;min-width:3.7em;text-align:right}
.strip small{color:var(--soft);font-size:12px;min-width:3.6em;text-align:left}
.strip line{vector-effect:non-scaling-stroke;stroke-linecap:round}
.strip .whole{stroke:var(--hair);stroke-width:3}
.strip .span{stroke:var(--own);stroke-width:3;opacity:.42}
.strip .dot{stroke:var(--own);stroke-width:8}
.strip .zero{stroke:var(--soft);stroke-width:1.5}
.difference{--own:var(--soft)}
.difference.better{--own:var(--good)}
.difference.worse{--own:var(--bad)}
.strips thead th{white-space:nowrap}
.strips .group th{font-weight:600;padding-top:18px;border-bottom:1px solid var(--faint)}
.strips .wide svg{width:200px}
.snug{width:auto}
.snug th,.snug td{padding-right:32px;white-space:nowrap}
`;

const trees = `
.signs{display:flex;flex-wrap:wrap;gap:4px 18px;color:var(--soft);font-size:14px;margin:0 0 18px}
.signs span{display:flex;align-items:center;gap:6px}
.signs svg{width:18px;height:18px}
.cards{columns:2;column-gap:28px}
.cards.pairs{columns:1;display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 28px;align-items:start}
.card{break-inside:avoid;background:var(--card);border:1px solid var(--hair);border-radius:10px;padding:18px 20px 14px;margin:0 0 28px}
.card .story{margin:0 0 4px;font-size:13px;color:var(--soft)}
.card .about{margin:0 0 10px;font-size:13px;color:var(--soft);overflow-wrap:anywhere}
.outcome{font-weight:600}
.outcome.passed{color:var(--good)}
.outcome.failed,.outcome.discarded,.outcome.errored{color:var(--bad)}
.tree{position:relative}
.tree>svg{position:absolute;left:0;top:0;overflow:visible}
.tree ol{list-style:none;margin:0;padding:0 0 0 var(--lanes)}
.tree li{display:flex}
.tree .start{color:var(--soft);font-size:13px;align-items:center;padding-left:8px}
.edge{fill:none;stroke:var(--ink);stroke-width:1.8}
.edge.correction{stroke:var(--correct)}
.edge.rolled-back{stroke:var(--soft);stroke-width:1.4;stroke-dasharray:3 3}
.root{fill:var(--page);stroke:var(--ink);stroke-width:1.8}
.dot.kept{fill:var(--ink)}
.dot.correction{fill:var(--correct)}
.dot.rolled-back{fill:var(--card);stroke:var(--soft);stroke-width:1.4;stroke-dasharray:2 1.6}
.dot.rejected{fill:var(--card);stroke:var(--bad);stroke-width:1.6}
.cross{stroke:var(--bad);stroke-width:1.8;stroke-linecap:round}
.step{font:inherit;font-size:14px;line-height:20px;color:inherit;background:none;border:0;text-align:left;cursor:pointer;width:100%;min-width:0;padding:5px 8px;border-radius:6px;display:flex;flex-wrap:wrap;align-items:center;align-content:flex-start;column-gap:10px}
.step .text{flex:1 1 0;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;position:relative}
.step em{flex:1 0 100%;font-size:13px;color:var(--bad);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-width:100%}
.step.correction .text{color:var(--correct);font-weight:600}
.step.rolled-back .action{text-decoration:line-through;text-decoration-color:var(--soft);color:var(--soft)}
.step:hover,.step[aria-current]{background:color-mix(in srgb,var(--ink) 6%,transparent)}
.step:focus-visible,summary:focus-visible{outline:2px solid var(--c0);outline-offset:-1px}
.badge{font-size:12px;line-height:18px;font-weight:600;padding:0 8px;border-radius:9px;white-space:nowrap;border:1px solid currentColor}
.badge.pass{color:var(--good)}
.badge.fail{color:var(--bad)}
.details{border-top:1px solid var(--hair);margin-top:10px;padding-top:10px;font-size:13px;color:var(--soft);min-height:86px}
.details p{margin:0 0 2px;overflow-wrap:anywhere}
.details .what{color:var(--ink);font-weight:600}
.details .notes{white-space:pre-line}
.endings{display:grid;gap:14px;margin:0 0 28px}
.ending{display:grid;grid-template-columns:minmax(110px,180px) 1fr;gap:4px 16px;align-items:center;font-size:14px;margin:0}
.part{white-space:nowrap;margin-right:14px}
.ending b{font-weight:600}
.ending>span{grid-column:2;color:var(--soft);font-size:13px}
.bar{display:flex;height:14px;gap:2px}
.bar i{min-width:2px;border-radius:2px}
i.passed{background:var(--good)}
i.failed{background:var(--bad)}
i.discarded{background:var(--c4)}
i.errored{background:var(--ink)}
i.uncertified{background:repeating-linear-gradient(45deg,var(--good) 0 3px,var(--ink) 3px 6px)}
i.key{display:inline-block;width:9px;height:9px;border-radius:2px;margin-right:6px}
.faults td:nth-child(2),.faults td:nth-child(3),.faults th:nth-child(2),.faults th:nth-child(3){text-align:left}
.checks{margin:0 0 14px}
.checks summary{cursor:pointer;font-size:14px;padding:4px 0}
.amount{display:inline-block;min-width:120px;padding:0 6px;background:linear-gradient(to left,var(--faint) calc(var(--share)*100%),transparent 0)}
`;

/** Lines on a screenshot keep their colours on a dark page: the screenshot does not change either. */
const pictures = `
.cards:has(.pictured),.cards.alone{columns:1}
.split{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,7fr);gap:28px;align-items:start}
.view{position:sticky;top:16px;min-width:0}
.screen{display:block;position:relative;overflow:hidden;background:var(--hair) center/100% 100% no-repeat;border-radius:6px;box-shadow:0 0 0 1px var(--faint);--line:#00754f}
.screen.correction{--line:#0b66a8}
.screen.rolled-back{--line:#c2410c}
.stage .screen{width:100%;margin:1px auto}
svg.mark{position:absolute;inset:0;width:100%;height:100%;fill:none;stroke-linecap:round;stroke-linejoin:round}
svg.mark *{vector-effect:non-scaling-stroke}
svg.mark .halo{stroke:#fff;stroke-width:6px;opacity:.85}
svg.mark .ink{stroke:var(--line);stroke-width:2.5px}
svg.mark .ink .core{fill:var(--line)}
svg.mark .dashed{stroke-dasharray:5 5}
.label{position:absolute;max-width:70%;margin:5px 0;padding:1px 8px;border-radius:5px;background:var(--line);color:#fff;font-size:13px;line-height:20px;font-weight:600;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;box-shadow:0 0 0 2px #ffffffd9}
.label.press{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:12px;background:#fff;color:var(--line);box-shadow:0 0 0 2px var(--line)}
.film{display:flex;gap:10px;overflow-x:auto;padding:12px 3px 8px;position:relative;scrollbar-width:thin}
.frame{flex:none;font:inherit;color:var(--soft);background:none;border:0;padding:0;cursor:pointer;border-radius:6px;line-height:1}
.frame .screen{height:66px;min-width:24px;opacity:.72}
.frame .screen.none{width:66px}
.frame .mark .halo{stroke-width:4px}
.frame .mark .ink{stroke-width:1.8px}
.frame .number{display:block;font-size:12px;padding-top:6px}
.frame.correction .number{color:var(--correct);font-weight:600}
.frame:hover .screen,.frame[aria-current] .screen{opacity:1}
.frame[aria-current] .screen{box-shadow:0 0 0 2px var(--ink)}
.frame[aria-current] .number{color:var(--ink);font-weight:600}
.frame:focus-visible{outline:2px solid var(--c0);outline-offset:3px}
.view .details{margin-top:4px}
`;

const media = `
@media (max-width:820px){.cards{columns:1}
.cards.pairs{grid-template-columns:minmax(0,1fr)}
.split{display:flex;flex-direction:column;gap:0;align-items:stretch}
.view{display:contents}
.stage{position:sticky;top:0;z-index:1;background:var(--card);padding:6px 0}
.film{order:1}
.view .details{order:2}
.split .tree{order:3;margin-top:10px}}
@media (max-width:560px){main,header,footer{padding-left:16px;padding-right:16px}
header{padding-top:32px}
.keys{grid-template-columns:1fr 1fr;gap:18px 20px}
.keys dd{font-size:28px}
.keys .remark{font-size:13px}
.card{padding:14px 14px 10px}
#missing dl{grid-template-columns:1fr;gap:2px}
#missing dd{margin-bottom:10px}
.chart text,.chart .arm .name{font-size:14px}
.chart .tick,.chart .axis,.chart .rule .name{font-size:14px}
.snug th,.snug td{padding-right:14px}
.ending{grid-template-columns:1fr}
.ending>span{grid-column:1}
.heat tbody td,.heat th[scope=col]:not(:first-child){min-width:42px;padding:6px 5px}
.strip svg{display:none}
.amount{min-width:44px}
.faults th{white-space:nowrap}}
@media print{:root{--page:#fff;--card:#fff}
body{font-size:11pt}
.view,.stage{position:static}
section,header{break-inside:auto}
figure,.card,.claims li,tr{break-inside:avoid}
.scroll{overflow:visible}
details.data{display:none}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
`;

export const style = [colours, page, figures, trees, pictures, media].join('');
