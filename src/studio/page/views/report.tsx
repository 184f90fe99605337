/** The report of a run, drawn by the same code as `espalier report`, in a frame without rights. */
export function ReportView({ run }: { readonly run: string }) {
  return (
    <>
      <h1>Report of {run}</h1>
      <iframe
        class="report"
        title={`Report of ${run}`}
        sandbox="allow-scripts"
        src={`/api/report?run=${encodeURIComponent(run)}`}
      />
    </>
  );
}
